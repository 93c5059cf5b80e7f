// The plain pieces the settings are made of: a part with its title, a group of fields in it, a list of things.

import type { ReactNode } from "react";

export function Section({ title, says, children }: { title: string; says?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex max-w-2xl flex-col gap-5 pb-10">
      <header>
        <h2 className="text-xl font-semibold">{title}</h2>
        {says && <p className="mt-1 text-muted">{says}</p>}
      </header>
      {children}
    </section>
  );
}

export function Panel({ title, says, children }: { title?: string; says?: ReactNode; children: ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      {title && (
        <header className="border-b border-line px-4 py-3">
          <h3 className="font-semibold">{title}</h3>
          {says && <p className="text-sm text-muted">{says}</p>}
        </header>
      )}
      <div className="flex flex-col gap-4 p-4">{children}</div>
    </div>
  );
}

/** One thing of a list: its name, something about it, and what can be done. */
export function Row({
  title,
  mark,
  about,
  children,
}: {
  title: ReactNode;
  mark?: ReactNode;
  about: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-b-0">
      <div className="min-w-48 flex-1">
        <p className="flex min-w-0 items-center gap-2 font-medium">
          <span className="truncate">{title}</span>
          {mark}
        </p>
        <p className="text-sm text-muted">{about}</p>
      </div>
      {children}
    </li>
  );
}

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="rounded-lg border border-line bg-surface">
      {children}
    </ul>
  );
}

/** Beside the button of a form: what is wrong with the whole of it. */
export function FormTrouble({ says }: { says: string | null }) {
  return says ? (
    <p role="alert" className="text-sm text-danger">
      {says}
    </p>
  ) : null;
}
