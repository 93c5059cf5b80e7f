import { useEffect } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { enter } from "../api/session";
import { fieldOf, useSubmission } from "../data/submission";
import { Button } from "../ui/button";
import { Input } from "../ui/field";
import { doorTo, readInvitation, readNext } from "./address";
import { PasswordInput } from "./password";

type Mode = "signin" | "signup";

const WORDS = {
  signin: { title: "Sign in to TaskPilot", verb: "Sign in", busy: "Signing in…" },
  signup: { title: "Make your account", verb: "Sign up", busy: "Signing up…" },
} as const;

/** Shown wherever the server does not know who asks. The address stays, so that the page asked for comes next. */
export default function EntryPage({ mode }: { mode: Mode }) {
  const words = WORDS[mode];
  useEffect(() => {
    document.title = `${words.verb} · TaskPilot`;
  }, [words]);
  return (
    <main className="flex min-h-full items-center justify-center overflow-y-auto px-4 py-10">
      <div className="w-full max-w-88">
        <header className="mb-6 flex flex-col items-center gap-3 text-center">
          <img src="/icon.svg" alt="" className="size-10" />
          <h1 className="text-xl font-semibold">{words.title}</h1>
          <p className="text-muted">One task list for you, your assistants and your agents.</p>
        </header>
        <section aria-label={words.verb} className="rounded-xl border border-line bg-surface p-6 shadow-float">
          <EntryForm key={mode} mode={mode} />
        </section>
        <OtherDoor mode={mode} />
      </div>
    </main>
  );
}

function EntryForm({ mode }: { mode: Mode }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const joins = mode === "signup";
  const { busy, trouble, errorOf, submit } = useSubmission(async (given) => {
    const who = { email: fieldOf(given, "email").trim(), password: fieldOf(given, "password") };
    if (joins)
      await enter("/api/auth/signup", {
        ...who,
        name: fieldOf(given, "name").trim(),
        invitation: fieldOf(given, "invitation").trim(),
      });
    else await enter("/api/auth/signin", who);
    if (path === "/signin" || path === "/signup") navigate(readNext(search) ?? "/", { replace: true });
  });
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Input
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        autoFocus
        error={errorOf("email")}
      />
      <PasswordInput
        autoComplete={joins ? "new-password" : "current-password"}
        minLength={joins ? 8 : undefined}
        hint={joins ? "At least 8 characters." : undefined}
        error={errorOf("password")}
      />
      {joins && (
        <>
          <Input
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={100}
            hint="If you like."
            error={errorOf("name")}
          />
          <Input
            label="Invitation"
            name="invitation"
            autoComplete="off"
            maxLength={200}
            defaultValue={readInvitation(location.hash)}
            hint="If you were given one."
            error={errorOf("invitation")}
          />
        </>
      )}
      {trouble && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
          {trouble}
        </p>
      )}
      <Button type="submit" look="main" disabled={busy} className="h-9!">
        {busy ? WORDS[mode].busy : WORDS[mode].verb}
      </Button>
    </form>
  );
}

function OtherDoor({ mode }: { mode: Mode }) {
  const [path] = useLocation();
  const search = useSearch();
  const other = mode === "signin" ? "/signup" : "/signin";
  return (
    <p className="mt-5 text-center text-muted">
      {mode === "signin" ? "No account yet?" : "Already here?"}{" "}
      <Link href={doorTo(other, path, search)} className="font-medium text-accent underline underline-offset-2">
        {mode === "signin" ? "Sign up" : "Sign in"}
      </Link>
    </p>
  );
}
