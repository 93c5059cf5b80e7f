import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { get, remove } from "../api/client";
import type { Login } from "../api/types";
import { explain } from "../data/actions";
import { invalidate } from "../data/queries";
import { Chip } from "../ui/chip";
import { Ago } from "../ui/moment";
import { Skeleton, Trouble } from "../ui/states";
import { SureButton } from "../ui/sure";
import { nameClient } from "./browsers";
import { Row, Rows, Section } from "./section";

export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: ["login", "sessions"],
    queryFn: ({ signal }) => get<{ sessions: Login[] }>("/api/auth/sessions", { limit: 200 }, signal),
  });
  const sessions = data?.sessions.filter((login) => login.kind === "session");
  const others = sessions?.some((login) => !login.current) ?? false;

  const end = async (path: string, said: string) => {
    try {
      await remove(path);
      toast(said);
    } catch (problem) {
      explain(problem, "could not be ended");
    }
    invalidate(["login"]);
  };

  return (
    <Section title="Where you are signed in" says="Sign out wherever it is not you. Its tokens stop working at once.">
      {error && <Trouble error={error} what="Your logins" retry={() => void refetch()} />}
      {!sessions && !error && <Skeleton rows={4} />}
      {sessions && (
        <Rows label="Logins">
          {sessions.map((login) => (
            <Row
              key={login.id}
              title={nameClient(login.client)}
              mark={login.current && <Chip tone="ok">this page</Chip>}
              about={
                <>
                  {login.address || "this machine"} · signed in <Ago at={login.created_at} />
                  {login.last_used_at && !login.current && (
                    <>
                      , last used <Ago at={login.last_used_at} />
                    </>
                  )}
                </>
              }
            >
              {!login.current && (
                <SureButton
                  verb="Sign out there"
                  what={nameClient(login.client)}
                  question="Sign out?"
                  onSure={() => void end(`/api/auth/sessions/${login.id}`, "Signed out there")}
                />
              )}
            </Row>
          ))}
        </Rows>
      )}
      {others && (
        <div className="self-start">
          <SureButton
            verb="Sign out everywhere else"
            what="all other places"
            question="All others, apps too?"
            onSure={() => void end("/api/auth/sessions", "Signed out everywhere else")}
          />
        </div>
      )}
    </Section>
  );
}
