import { useParams } from "wouter";
import { Listing } from "./listing";
import { OneRun } from "./one";

export default function Page() {
  const id = Number(useParams<{ id?: string }>().id);
  return Number.isInteger(id) && id > 0 ? <OneRun key={id} id={id} /> : <Listing />;
}
