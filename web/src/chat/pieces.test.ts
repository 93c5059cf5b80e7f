import { expect, test } from "vitest";
import { begin, hear } from "./pieces";

const piece = (event: string, data: unknown) => ({ id: "", event, data: JSON.stringify(data) });

test("an answer grows piece by piece", () => {
  const pieces = [
    piece("call", { id: "c1", tool: "task_create", arguments: { title: "Milk" } }),
    piece("result", { id: "c1", tool: "task_create", ok: true, text: "Added:\n1 Milk" }),
    piece("text", { text: "I've added " }),
    piece("text", { text: "it." }),
    piece("news_of_tomorrow", { text: "?" }),
  ];
  const grown = pieces.reduce(hear, begin("add milk", 4));
  expect(grown).toMatchObject({ said: "add milk", after: 4, text: "I've added it.", busy: true, done: null });
  expect(grown.uses).toEqual([
    { id: "c1", tool: "task_create", arguments: { title: "Milk" }, ok: true, text: "Added:\n1 Milk" },
  ]);
});

test("a question that waits for a yes is kept, and the end is known", () => {
  const asked = hear(begin("delete task 1", 0), piece("pending", { question: "Sure?", calls: [] }));
  expect(asked.pending?.question).toBe("Sure?");
  expect(hear(asked, piece("done", { conversation_id: 7, message: "Sure?" })).busy).toBe(false);
});

test("a problem is told in the server's words", () => {
  expect(hear(begin("hi", 0), piece("error", { detail: "The model cannot be reached." })).problem).toBe(
    "The model cannot be reached.",
  );
});
