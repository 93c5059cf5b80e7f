import { useParams } from "wouter";
import { Gone } from "./gone";
import Sheet from "./sheet";

/** A task at an address of its own. */
export default function TaskPage() {
  const id = Number(useParams<{ id: string }>().id);
  if (!Number.isSafeInteger(id) || id < 1) return <Gone id={0} />;
  return (
    <div className="flex h-full flex-col bg-surface">
      <Sheet key={id} id={id} />
    </div>
  );
}
