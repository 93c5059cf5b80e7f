import { Hand } from "lucide-react";
import { useState } from "react";
import { post } from "../api/client";
import type { Task } from "../api/types";
import { explain } from "../data/actions";
import { sayDue } from "../data/dates";
import { useStore } from "../data/store";
import { Button } from "../ui/button";
import { Ago } from "../ui/moment";
import { Blockers } from "./blockers";
import { EnergyChoice, EstimateChoice, PriorityChoice, RhythmChoice, StateChoice } from "./choices";
import { Listing } from "./listing";
import { ProjectChoice, WorkspaceChoice } from "./places";
import { Property } from "./property";
import { Tags } from "./tags";
import { change } from "./task";
import { When } from "./when";

/** Everything about a task that is not prose. Two columns where there is room. */
export function Properties({ task }: { task: Task }) {
  return (
    <section aria-label="Properties">
      <dl className="grid grid-cols-1 gap-x-4 @lg:grid-cols-2 @4xl:grid-cols-1">
        <StateChoice task={task} />
        <PriorityChoice task={task} />
        <When task={task} field="due_date" name="Due" />
        <When task={task} field="scheduled_start" name="Start" />
        <EnergyChoice task={task} />
        <EstimateChoice task={task} />
        <ProjectChoice task={task} />
        <RhythmChoice task={task} />
        <WorkspaceChoice task={task} />
        <Progress task={task} />
      </dl>
      <dl>
        <Held task={task} />
        <Tags task={task} />
        <Blockers task={task} />
        <Property name="Accepted if">
          <Listing
            label="Acceptance commands"
            one="an acceptance command"
            lines={task.acceptance}
            placeholder="A command succeeds"
            onChange={(acceptance, said) => void change(task.id, { acceptance }, said)}
          />
        </Property>
        <Property name="Created">
          <span className="block px-2 py-1">
            <Ago at={task.created_at} />
            <span className="text-muted">
              , changed <Ago at={task.updated_at} />
            </span>
          </span>
        </Property>
      </dl>
    </section>
  );
}

const SLIDER =
  "h-6 w-20 min-w-0 appearance-none rounded-md bg-transparent [&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full " +
  "[&::-webkit-slider-runnable-track]:bg-line-strong [&::-webkit-slider-thumb]:-mt-1 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none " +
  "[&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent-fill [&::-moz-range-track]:h-1 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-line-strong";

function Progress({ task }: { task: Task }) {
  const [dragged, setDragged] = useState<number | null>(null);
  const shown = dragged ?? task.progress;
  const commit = () => {
    setDragged(null);
    if (dragged !== null && dragged !== task.progress)
      void change(task.id, { progress: dragged }, `Progress: ${dragged} %`);
  };
  return (
    <Property name="Progress">
      <div className="flex h-7 items-center gap-2 px-2">
        <input
          type="range"
          aria-label="Progress"
          aria-valuetext={`${shown} %`}
          min={0}
          max={100}
          step={5}
          value={shown}
          onChange={(event) => setDragged(Number(event.target.value))}
          onPointerUp={commit}
          onKeyUp={commit}
          onBlur={commit}
          className={SLIDER}
        />
        <span className="tabular text-sm whitespace-nowrap text-muted">{shown} %</span>
      </div>
    </Property>
  );
}

/** Who works on it, and until when nobody else will. */
function Held({ task }: { task: Task }) {
  const claims = useStore((state) => state.claims);
  const claim = claims.find((each) => each.task_id === task.id);
  if (!claim) return null;
  const release = async () => {
    try {
      await post(`/api/tasks/${task.id}/release`, {});
    } catch (error) {
      explain(error, "could not be released");
    }
  };
  return (
    <Property name="Held by">
      <div className="flex min-h-7 flex-wrap items-center gap-2 px-2">
        <Hand className="size-3.5 text-muted" aria-hidden />
        <span className="truncate">{claim.actor}</span>
        <span className="text-sm text-muted">until {sayDue(claim.lease_until)}</span>
        <Button small onClick={() => void release()}>
          Release
        </Button>
      </div>
    </Property>
  );
}
