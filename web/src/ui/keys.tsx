import { showKeys } from "../commands/keys";

/** The keys of a command, as caps. */
export function Keys({ of }: { of: string }) {
  return (
    <span className="inline-flex gap-1">
      {showKeys(of).map((chord, index) => (
        <kbd key={index} className="rounded border border-line bg-sunken px-1 font-sans text-xs text-muted">
          {chord.join(" ")}
        </kbd>
      ))}
    </span>
  );
}
