import { QueryClientProvider } from "@tanstack/react-query";
import { Tooltip } from "radix-ui";
import { lazy, Suspense, useEffect, useState } from "react";
import { Toaster } from "sonner";
import { Redirect, Route, Switch, useLocation } from "wouter";
import type { Problem } from "./api/client";
import { onSession } from "./api/session";
import { connect } from "./data/live";
import { queries } from "./data/queries";
import { useSelection } from "./data/selection";
import { clear, useStore } from "./data/store";
import { PAGES } from "./pages";
import { Shell } from "./shell/shell";
import { useTheme } from "./shell/theme";
import { Skeleton, Trouble } from "./ui/states";

const Entry = lazy(() => import("./entry/page"));
const Welcome = lazy(() => import("./entry/welcome"));
const TaskPage = lazy(() => import("./task/page"));

export function App() {
  useTheme();
  return (
    <QueryClientProvider client={queries}>
      <Tooltip.Provider delayDuration={400}>
        <Gate />
        <Notices />
      </Tooltip.Provider>
    </QueryClientProvider>
  );
}

/** Everybody whom the server knows comes in; others sign in first. */
function Gate() {
  const [refused, setRefused] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [path] = useLocation();

  useEffect(() => {
    setRefused(null);
    return connect(setRefused);
  }, [attempt]);
  useEffect(
    () =>
      onSession(() => {
        clear();
        queries.clear();
        setAttempt((number) => number + 1);
      }),
    [],
  );

  if (refused?.status === 401)
    return (
      <Suspense>
        <Entry mode={path === "/signup" ? "signup" : "signin"} />
      </Suspense>
    );
  if (refused) return <Trouble error={refused} what="Your tasks" retry={() => setAttempt((number) => number + 1)} />;
  return (
    <Shell>
      <Suspense fallback={<Skeleton rows={6} className="p-6" />}>
        <Pages />
      </Suspense>
    </Shell>
  );
}

function Pages() {
  return (
    <Switch>
      {PAGES.flatMap((page) =>
        [page.path, ...(page.more ?? [])].map((path) => <Route key={path} path={path} component={page.component} />),
      )}
      <Route path="/task/:id" component={TaskPage} />
      <Route path="/welcome" component={Welcome} />
      <Route>
        <Start />
      </Route>
    </Switch>
  );
}

/** `/`: the board; for somebody who has no tasks yet, how to begin. */
function Start() {
  const ready = useStore((state) => state.ready);
  const none = useStore((state) => state.cards.size === 0);
  if (!ready) return <Skeleton rows={6} className="p-6" />;
  return <Redirect to={none ? "/welcome" : "/board"} replace />;
}

/** What may lie at the end of the page, in pixels: the bar of the chosen tasks; on a phone, the way around. */
const CHOSEN_BAR = 52;
const BOTTOM_BAR = 48;
const MARGIN = 16;

const TOP_BAR = 44;

function Notices() {
  const theme = useStore((state) => state.settings.theme);
  const [path] = useLocation();
  // Where one writes at the end of the page, they come from above.
  const writes = /^\/(chat|runs\/)/.test(path);
  const above = useSelection(({ chosen }) => (chosen.size > 0 ? CHOSEN_BAR : 0)) + MARGIN;
  // At the bottom in the middle, above what can be pressed there: nothing to press lies under them.
  return (
    <Toaster
      theme={theme}
      position={writes ? "top-center" : "bottom-center"}
      visibleToasts={3}
      closeButton
      containerAriaLabel="Notices"
      offset={{ top: TOP_BAR + MARGIN, bottom: above }}
      mobileOffset={{ top: TOP_BAR + MARGIN, bottom: above + BOTTOM_BAR }}
    />
  );
}
