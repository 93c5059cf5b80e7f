import { useQuery } from "@tanstack/react-query";
import { AppWindow } from "lucide-react";
import { toast } from "sonner";
import { Link } from "wouter";
import { get, remove } from "../api/client";
import type { OauthClient } from "../api/types";
import { explain } from "../data/actions";
import { invalidate } from "../data/queries";
import { Chip } from "../ui/chip";
import { Ago } from "../ui/moment";
import { Empty, Skeleton, Trouble } from "../ui/states";
import { SureButton } from "../ui/sure";
import { sayScopes } from "./scopes";
import { Row, Rows, Section } from "./section";

export function Clients() {
  const { data, error, refetch } = useQuery({
    queryKey: ["login", "clients"],
    queryFn: ({ signal }) => get<{ clients: OauthClient[] }>("/api/oauth-clients", {}, signal),
  });
  const disconnect = async (client: OauthClient) => {
    try {
      await remove(`/api/oauth-clients/${client.id}`);
      toast(`${client.name} is disconnected`);
    } catch (problem) {
      explain(problem, "could not be disconnected");
    }
    invalidate(["login"]);
  };
  return (
    <Section title="Connected apps" says="Programs you let in by signing in on their behalf.">
      {error && <Trouble error={error} what="Your apps" retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data?.clients.length === 0 && (
        <Empty icon={AppWindow} title="No app is connected">
          <Link href="/settings/connect" className="font-medium text-accent underline underline-offset-2">
            Connect your assistant
          </Link>
          ; it appears here once you have let it in.
        </Empty>
      )}
      {data && data.clients.length > 0 && (
        <Rows label="Apps">
          {data.clients.map((client) => (
            <Row
              key={client.id}
              title={client.name}
              mark={client.host ? <Chip>{client.host}</Chip> : <Chip tone="warn">not vouched for</Chip>}
              about={
                <>
                  May {sayScopes(client.scopes)} · connected <Ago at={client.connected_at} />, last used{" "}
                  <Ago at={client.last_used_at} />
                </>
              }
            >
              <SureButton
                verb="Disconnect"
                what={client.name}
                question="Its tokens stop at once."
                onSure={() => void disconnect(client)}
              />
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  );
}
