import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { Link, useLocation } from "wouter";
import { openPalette } from "../commands/palette";
import { Waiting } from "../inbox/badge";
import { PAGES } from "../pages";

const SHOWN = ["/inbox", "/day", "/board", "/list", "/chat"];

/** The way around on a phone; the rest is in the palette. */
export function BottomBar() {
  const [path] = useLocation();
  return (
    <nav aria-label="Pages" className="flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden">
      {PAGES.filter((page) => SHOWN.includes(page.path)).map((page) => (
        <Link
          key={page.path}
          href={page.path}
          aria-current={path === page.path ? "page" : undefined}
          className={clsx(
            "relative flex h-12 flex-1 flex-col items-center justify-center gap-0.5 text-xs",
            path === page.path ? "text-accent" : "text-muted",
          )}
        >
          <page.icon className="size-5" aria-hidden />
          {page.name}
          {page.path === "/inbox" && <Waiting className="absolute top-0.5 left-[calc(50%+6px)]" />}
        </Link>
      ))}
      <button
        type="button"
        onClick={() => openPalette()}
        className="flex h-12 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted"
      >
        <Ellipsis className="size-5" aria-hidden />
        More
      </button>
    </nav>
  );
}
