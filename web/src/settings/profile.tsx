import { toast } from "sonner";
import { patch, post } from "../api/client";
import type { User } from "../api/types";
import { setFacts, useStore } from "../data/store";
import { fieldOf, useSubmission } from "../data/submission";
import { PasswordInput } from "../entry/password";
import { Button } from "../ui/button";
import { Input } from "../ui/field";
import { hasAccount } from "./parts";
import { FormTrouble, Panel, Section } from "./section";

export function Profile() {
  const me = useStore((state) => state.me);
  return (
    <Section title="Profile">
      <NameForm me={me} />
      {hasAccount(me) ? (
        <>
          <EmailForm me={me} />
          <PasswordForm />
        </>
      ) : (
        <p className="text-muted">
          This server takes everybody on this machine for you, so there is no email, no password and nothing to sign in
          to. To give yourself an account, run{" "}
          <code className="font-mono text-sm">taskpilot user add EMAIL --local</code>.
        </p>
      )}
    </Section>
  );
}

function NameForm({ me }: { me: User }) {
  const { busy, trouble, errorOf, submit } = useSubmission(async (given) => {
    const changes = { name: fieldOf(given, "name").trim(), handle: fieldOf(given, "handle").trim() };
    setFacts({ me: await patch<User>("/api/me", changes) });
    toast("Profile saved");
  });
  return (
    <form onSubmit={submit}>
      <Panel>
        <Input
          label="Name"
          name="name"
          defaultValue={me.name}
          autoComplete="name"
          maxLength={100}
          error={errorOf("name")}
        />
        <Input
          label="Handle"
          name="handle"
          defaultValue={me.handle}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={40}
          pattern="[a-z][a-z0-9._\-]*"
          title="Small letters, digits, dots and dashes; a letter first"
          hint="How history names you. Small letters, digits, dots and dashes."
          error={errorOf("handle")}
        />
        <FormTrouble says={trouble} />
        <Button type="submit" disabled={busy} className="self-start">
          Save
        </Button>
      </Panel>
    </form>
  );
}

function EmailForm({ me }: { me: User }) {
  const { busy, trouble, errorOf, submit } = useSubmission(async (given, form) => {
    const changes = { email: fieldOf(given, "email").trim(), current_password: fieldOf(given, "current_password") };
    setFacts({ me: await patch<User>("/api/me", changes) });
    form.reset();
    toast("You sign in with your new email from now on");
  });
  return (
    <form onSubmit={submit}>
      <Panel title="Email" says={`You sign in with ${me.email ?? ""}.`}>
        <Input
          label="New email"
          name="email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          error={errorOf("email")}
        />
        <PasswordInput
          label="Your password"
          name="current_password"
          autoComplete="current-password"
          error={errorOf("current_password")}
        />
        <FormTrouble says={trouble} />
        <Button type="submit" disabled={busy} className="self-start">
          Change the email
        </Button>
      </Panel>
    </form>
  );
}

function PasswordForm() {
  const email = useStore((state) => state.me.email);
  const { busy, trouble, errorOf, submit } = useSubmission(async (given, form) => {
    await post("/api/auth/password", {
      current_password: fieldOf(given, "current_password"),
      new_password: fieldOf(given, "new_password"),
    });
    form.reset();
    toast("Your password is changed; everywhere else you are signed out");
  });
  return (
    <form onSubmit={submit}>
      <Panel title="Password" says="Changing it signs you out everywhere else. Tokens you made for programs stay.">
        {/* So that a password manager knows whose password it keeps. */}
        <input type="text" name="username" autoComplete="username" defaultValue={email ?? ""} readOnly hidden />
        <PasswordInput
          label="Current password"
          name="current_password"
          autoComplete="current-password"
          error={errorOf("current_password")}
        />
        <PasswordInput
          label="New password"
          name="new_password"
          autoComplete="new-password"
          minLength={8}
          hint="At least 8 characters."
          error={errorOf("new_password")}
        />
        <FormTrouble says={trouble} />
        <Button type="submit" disabled={busy} className="self-start">
          Change the password
        </Button>
      </Panel>
    </form>
  );
}
