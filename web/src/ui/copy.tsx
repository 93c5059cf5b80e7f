import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copy } from "../data/clipboard";
import { Button } from "./button";

/** Text to take along, with a button that does. `label` says what it is. */
export function CopyBox({ text, label, className }: { text: string; label: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  const take = async () => setCopied(await copy(text));

  return (
    <div className={clsx("flex items-start gap-2 rounded-md border border-line bg-sunken p-1.5 pl-3", className)}>
      <pre className="min-w-0 flex-1 py-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        <code>{text}</code>
      </pre>
      <Button small onClick={() => void take()} aria-label={`Copy: ${label}`} className="w-20 shrink-0">
        {copied ? <Check className="size-3.5 text-ok" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
        {copied ? "Copied" : "Copy"}
      </Button>
      <span role="status" className="sr-only">
        {copied && "Copied"}
      </span>
    </div>
  );
}
