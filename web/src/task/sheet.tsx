import { useEffect } from "react";
import { Problem } from "../api/client";
import { clearChosen, setFocus } from "../data/selection";
import { Trouble } from "../ui/states";
import { Arriving } from "./arriving";
import { Gone } from "./gone";
import { Header } from "./header";
import { Properties } from "./properties";
import { Prose } from "./prose";
import { Subtasks } from "./subtasks";
import { Tabs } from "./tabs";
import { useTask } from "./task";
import { Title } from "./title";

interface Props {
  id: number;
  onClose?: () => void;
}

/** All of a task. Its properties stand beside the text where there is room, and above it where there is not. */
export default function Sheet({ id, onClose }: Props) {
  const { task, error, retry } = useTask(id);
  useEffect(() => {
    // The keys for tasks act on the one that is open.
    clearChosen();
    setFocus(id);
  }, [id]);
  const gone = error instanceof Problem && error.status === 404;
  if (gone || !task)
    return (
      <Arriving id={id} onClose={onClose}>
        {gone ? <Gone id={id} /> : error ? <Trouble error={error} what="The task" retry={retry} /> : undefined}
      </Arriving>
    );
  return (
    <>
      <Header task={task} onClose={onClose} />
      <div className="@container min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-6xl grid-cols-1 px-5 pb-16 @4xl:grid-cols-[minmax(0,1fr)_300px] @4xl:grid-rows-[auto_1fr] @4xl:gap-x-10">
          <div className="pt-4 pb-3">
            <Title key={id} task={task} />
          </div>
          <div className="@4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1 @4xl:pt-5">
            <Properties task={task} />
          </div>
          <div className="min-w-0">
            <Prose
              key={`description ${id}`}
              task={task}
              field="description"
              name="Description"
              empty="Add a description…"
            />
            <Subtasks task={task} />
            <Prose key={`notes ${id}`} task={task} field="notes" name="Notes" empty="Add notes…" />
            <Tabs task={task} />
          </div>
        </div>
      </div>
    </>
  );
}
