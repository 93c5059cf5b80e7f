import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { get, remove } from "../api/client";
import type { NewToken, Token } from "../api/types";
import { explain } from "../data/actions";
import { invalidate } from "../data/queries";
import { Chip } from "../ui/chip";
import { CopyBox } from "../ui/copy";
import { Ago } from "../ui/moment";
import { Skeleton, Trouble } from "../ui/states";
import { SureButton } from "../ui/sure";
import { sayScopes } from "./scopes";
import { Row, Rows, Section } from "./section";
import { TokenForm } from "./tokenform";

export function Tokens() {
  const [made, setMade] = useState<NewToken | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => get<{ tokens: Token[] }>("/api/tokens", { limit: 200 }, signal),
  });
  const end = async (token: Token) => {
    try {
      await remove(`/api/tokens/${token.id}`);
      toast(`${token.name} is ended`);
      if (made?.id === token.id) setMade(null);
    } catch (problem) {
      explain(problem, "could not be ended");
    }
    invalidate(["token"]);
  };
  return (
    <Section
      title="Tokens"
      says="A program shows a token instead of your password. Each can do only what you allow it."
    >
      {made?.token && <Secret name={made.name} secret={made.token} />}
      <TokenForm onMade={setMade} />
      {error && <Trouble error={error} what="Your tokens" retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data && data.tokens.length > 0 && (
        <Rows label="Tokens">
          {data.tokens.map((token) => (
            <Row
              key={token.id}
              title={token.name}
              mark={token.expired && <Chip tone="warn">expired</Chip>}
              about={<About token={token} />}
            >
              <SureButton
                verb="End"
                what={token.name}
                question="Whatever uses it stops."
                onSure={() => void end(token)}
              />
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  );
}

function About({ token }: { token: Token }) {
  return (
    <>
      May {sayScopes(token.scopes)} ·{" "}
      {token.expires_at ? (
        <>
          ends <Ago at={token.expires_at} />
        </>
      ) : (
        "does not end"
      )}{" "}
      ·{" "}
      {token.last_used_at ? (
        <>
          last used <Ago at={token.last_used_at} />
        </>
      ) : (
        "never used"
      )}
    </>
  );
}

function Secret({ name, secret }: { name: string; secret: string }) {
  return (
    <div role="status" className="flex animate-rise flex-col gap-2 rounded-lg border border-ok/40 bg-ok-soft p-4">
      <p className="flex items-center gap-2 font-medium">
        <KeyRound className="size-4 text-ok" aria-hidden />
        Copy {name} now. It is not shown again.
      </p>
      <CopyBox text={secret} label={`Token ${name}`} />
    </div>
  );
}
