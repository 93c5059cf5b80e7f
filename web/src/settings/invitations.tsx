import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { get, once, post, remove } from "../api/client";
import type { Invitation, NewInvitation } from "../api/types";
import { explain } from "../data/actions";
import { invalidate } from "../data/queries";
import { fieldOf, useSubmission } from "../data/submission";
import { invitationAddress } from "../entry/address";
import { Button } from "../ui/button";
import { CopyBox } from "../ui/copy";
import { Input, Select } from "../ui/field";
import { Ago } from "../ui/moment";
import { Skeleton, Trouble } from "../ui/states";
import { SureButton } from "../ui/sure";
import { FormTrouble, Panel, Row, Rows, Section } from "./section";

export function Invitations() {
  const [made, setMade] = useState<NewInvitation | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["invitation"],
    queryFn: ({ signal }) => get<{ invitations: Invitation[] }>("/api/admin/invitations", { limit: 200 }, signal),
  });
  const takeBack = async (invitation: Invitation) => {
    try {
      await remove(`/api/admin/invitations/${invitation.id}`);
      toast("The invitation is taken back");
      if (made?.id === invitation.id) setMade(null);
    } catch (problem) {
      explain(problem, "could not be taken back");
    }
    invalidate(["invitation"]);
  };
  return (
    <Section title="Invitations" says="A link with which somebody can sign up. Each is good for one person.">
      {made?.code && (
        <div role="status" className="flex animate-rise flex-col gap-2 rounded-lg border border-ok/40 bg-ok-soft p-4">
          <p className="font-medium">Send this link to {made.email || "whom you invite"}. It is not shown again.</p>
          <CopyBox text={invitationAddress(location.origin, made.code)} label="Invitation" />
        </div>
      )}
      <InvitationForm onMade={setMade} />
      {error && <Trouble error={error} what="Your invitations" retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && data.invitations.length > 0 && (
        <Rows label="Invitations">
          {data.invitations.map((invitation) => (
            <Row
              key={invitation.id}
              title={invitation.email || "Whoever has the link"}
              about={
                <>
                  Made <Ago at={invitation.created_at} />, ends <Ago at={invitation.expires_at} />
                </>
              }
            >
              <SureButton
                verb="Take back"
                what={invitation.email || "invitation"}
                question="The link stops working."
                onSure={() => void takeBack(invitation)}
              />
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  );
}

function InvitationForm({ onMade }: { onMade: (made: NewInvitation) => void }) {
  const { busy, trouble, errorOf, submit } = useSubmission(async (given, form) => {
    const email = fieldOf(given, "email").trim();
    const body = { email: email || null, expires_in_days: Number(fieldOf(given, "days")) };
    onMade(await post<NewInvitation>("/api/admin/invitations", body, once()));
    form.reset();
    invalidate(["invitation"]);
  });
  return (
    <form onSubmit={submit} aria-label="New invitation">
      <Panel title="Invite somebody">
        <div className="flex flex-wrap items-start gap-4">
          <div className="min-w-48 flex-1">
            <Input
              label="Email"
              name="email"
              type="email"
              maxLength={254}
              autoComplete="off"
              hint="Empty: whoever has the link."
              error={errorOf("email")}
            />
          </div>
          <Select label="Good for" name="days" defaultValue="7" className="w-36!">
            <option value="1">a day</option>
            <option value="7">a week</option>
            <option value="30">30 days</option>
          </Select>
        </div>
        <FormTrouble says={trouble} />
        <Button type="submit" disabled={busy} className="self-start">
          Make an invitation
        </Button>
      </Panel>
    </form>
  );
}
