import { useParams } from "wouter";
import { WorkspaceList } from "./list";
import { WorkspaceView } from "./workspace";

export default function WorkspacesPage() {
  const { id } = useParams<{ id?: string }>();
  const number = Number(id);
  return Number.isSafeInteger(number) && number > 0 ? <WorkspaceView key={number} id={number} /> : <WorkspaceList />;
}
