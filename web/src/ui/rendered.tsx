import { createContext, useContext } from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";

type Tick = (line: number, done: boolean) => void;

const Ticking = createContext<Tick | undefined>(undefined);
/** The item of a task list that a box stands in. */
const Place = createContext({ line: -1, words: "" });

type Node = NonNullable<ExtraProps["node"]>;

function wordsOf(node: Node | Node["children"][number]): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  return node.children
    .map((child) => (child.type === "element" && child.tagName === "ul" ? "" : wordsOf(child)))
    .join("");
}

function Box({ checked }: { checked: boolean }) {
  const tick = useContext(Ticking);
  const { line, words } = useContext(Place);
  return (
    <input
      type="checkbox"
      aria-label={words || "Item"}
      checked={checked}
      disabled={!tick}
      onChange={(event) => tick?.(line, event.target.checked)}
      className="mr-1.5 size-3.5 align-[-2px] accent-accent-fill"
    />
  );
}

const LOOKS: Components = {
  // An address that may not be gone to comes empty: its words stay words.
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline underline-offset-2">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // A picture from elsewhere would tell its server who reads this; it is offered as a link.
  img: ({ src, alt }) => (
    <a
      href={typeof src === "string" ? src : undefined}
      target="_blank"
      rel="noreferrer noopener"
      className="text-accent underline"
    >
      {alt || "picture"}
    </a>
  ),
  h1: ({ children }) => <h3 className="mt-3 text-lg font-semibold">{children}</h3>,
  h2: ({ children }) => <h4 className="mt-3 font-semibold">{children}</h4>,
  h3: ({ children }) => <h5 className="mt-2 font-semibold">{children}</h5>,
  ul: ({ children }) => <ul className="my-1 list-disc pl-5 has-[input]:list-none has-[input]:pl-1">{children}</ul>,
  ol: ({ children }) => <ol className="my-1 list-decimal pl-5">{children}</ol>,
  li: ({ node, children }) => (
    <Place value={{ line: (node?.position?.start.line ?? 0) - 1, words: node ? wordsOf(node).trim() : "" }}>
      <li>{children}</li>
    </Place>
  ),
  input: ({ checked }) => <Box checked={Boolean(checked)} />,
  p: ({ children }) => <p className="my-1.5 first:mt-0 last:mb-0">{children}</p>,
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-l-2 border-line-strong pl-3 text-muted">{children}</blockquote>
  ),
  pre: ({ children }) => (
    <pre
      tabIndex={0}
      className="my-2 overflow-x-auto rounded-md border border-line bg-sunken p-2.5 font-mono text-sm [&_code]:bg-transparent! [&_code]:p-0"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => <code className="rounded bg-sunken px-1 font-mono text-sm dark:bg-raised">{children}</code>,
  table: ({ children }) => (
    <div className="my-2 overflow-x-auto" tabIndex={0} role="region" aria-label="Table">
      <table className="border-collapse text-sm [&_td]:border [&_td]:border-line [&_td]:px-2 [&_th]:border [&_th]:border-line [&_th]:px-2">
        {children}
      </table>
    </div>
  ),
};

export default function Rendered({ text, onTick }: { text: string; onTick?: Tick }) {
  return (
    <div className="break-words">
      <Ticking value={onTick}>
        <ReactMarkdown remarkPlugins={[remarkGfm]} components={LOOKS}>
          {text}
        </ReactMarkdown>
      </Ticking>
    </div>
  );
}
