import { expect, test } from "vitest";
import { isThisMachine, listClients, quote } from "./clients";

const HERE = "http://127.0.0.1:8000";

test("every client is told the address of this very server, or the command that finds it", () => {
  for (const client of listClients(HERE))
    for (const way of client.ways)
      expect(way.text.includes(`${HERE}/mcp`) || way.text.includes('"command": "taskpilot"'), way.text).toBe(true);
});

test("what is to go into a JSON file is JSON", () => {
  const files = listClients(HERE).flatMap((client) => client.ways.filter((way) => way.kind === "json"));
  expect(files.length).toBeGreaterThan(3);
  for (const way of files) expect(Object.keys(JSON.parse(way.text) as object)).toHaveLength(1);
});

test("a line for the terminal is safe to paste", () => {
  const lines = listClients(HERE).flatMap((client) => client.ways.filter((way) => way.kind === "command"));
  expect(lines.map((line) => line.text)).toContain(
    `code --add-mcp '{"name":"taskpilot","type":"http","url":"http://127.0.0.1:8000/mcp"}'`,
  );
  expect(quote("it's; rm")).toBe(`'it'"'"'s; rm'`);
});

test("Claude Desktop starts a command here, and is given an address elsewhere", () => {
  const way = (origin: string) => listClients(origin).find((client) => client.key === "claude-desktop")!.ways[0]!;
  expect(way(HERE).kind).toBe("json");
  expect(way("https://tasks.example.com").text).toBe("https://tasks.example.com/mcp");
});

test("only loopback addresses are this machine", () => {
  expect(["http://localhost:8000", "http://[::1]:80", HERE].every(isThisMachine)).toBe(true);
  expect(["https://localhost.example.com", "http://10.0.0.1"].some(isThisMachine)).toBe(false);
});
