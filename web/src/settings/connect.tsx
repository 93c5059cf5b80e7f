import { Link } from "wouter";
import { isThisMachine } from "../data/clients";
import { CopyBox } from "../ui/copy";
import { Assistants } from "./assistants";
import { Panel, Section } from "./section";

export function Connect() {
  return (
    <Section
      title="Connect your assistant"
      says="Paste this into the assistant you use, and it works on the same list as you. What it changes appears here at once."
    >
      <Assistants />
      {isThisMachine(location.origin) && (
        <Panel
          title="All of them at once"
          says="Shows the assistants on this machine, and how to add TaskPilot to each."
        >
          <CopyBox text="taskpilot connect" label="Connect every assistant on this machine" />
        </Panel>
      )}
      <p className="text-muted">
        New here?{" "}
        <Link href="/welcome" className="font-medium text-accent underline underline-offset-2">
          Three tasks
        </Link>{" "}
        show how it works. Programs use{" "}
        <a href="/api/docs" className="font-medium text-accent underline underline-offset-2">
          the REST API
        </a>
        .
      </p>
    </Section>
  );
}
