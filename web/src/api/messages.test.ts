import { expect, it } from "vitest";
import { parse } from "./messages";

async function read(...chunks: string[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const found = [];
  for await (const message of parse(body)) found.push(message);
  return found;
}

it("reads messages wherever the network cuts them", async () => {
  const whole =
    'retry: 2000\n\nid: 7\nevent: task.created\ndata: {"a":"ü"}\n\n: still here\n\nid: 8\ndata: x\ndata: y\n\n';
  const expected = [
    { id: "7", event: "task.created", data: '{"a":"ü"}' },
    { id: "8", event: "message", data: "x\ny" },
  ];
  expect(await read(whole)).toEqual(expected);
  expect(await read(...whole)).toEqual(expected);
});

it("does not tell a message that was cut off", async () => {
  expect(await read("id: 1\ndata: whole\n\nid: 2\ndata: ha")).toHaveLength(1);
});
