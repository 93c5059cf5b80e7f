// The assistants people use, and what to paste into each so that it knows this server.

export interface Way {
  /** What it is: a line for a terminal, or lines for a file. */
  kind: "command" | "json" | "toml" | "address";
  /** Where it goes. */
  where: string;
  text: string;
}

export interface Client {
  key: string;
  name: string;
  ways: readonly Way[];
}

const SERVER = "taskpilot";
const TERMINAL = "In a terminal";

/** Every client we know, the most used first. `origin` is where this page comes from. */
export function listClients(origin: string): readonly Client[] {
  const url = `${origin}/mcp`;
  return [
    {
      key: "claude-code",
      name: "Claude Code",
      ways: [
        command(`claude mcp add --scope user --transport http ${SERVER} ${quote(url)}`),
        json(".mcp.json in a project, to share it", { mcpServers: { [SERVER]: { type: "http", url } } }),
      ],
    },
    { key: "claude-desktop", name: "Claude Desktop", ways: [desktop(origin, url)] },
    {
      key: "cursor",
      name: "Cursor",
      ways: [json("~/.cursor/mcp.json", { mcpServers: { [SERVER]: { url } } })],
    },
    {
      key: "vscode",
      name: "VS Code",
      ways: [
        command(`code --add-mcp ${quote(JSON.stringify({ name: SERVER, type: "http", url }))}`),
        json(".vscode/mcp.json in a project", { servers: { [SERVER]: { type: "http", url } } }),
      ],
    },
    {
      key: "codex",
      name: "Codex",
      ways: [
        command(`codex mcp add ${SERVER} --url ${quote(url)}`),
        { kind: "toml", where: "~/.codex/config.toml", text: `[mcp_servers.${SERVER}]\nurl = ${JSON.stringify(url)}` },
      ],
    },
    {
      key: "gemini",
      name: "Gemini CLI",
      ways: [
        command(`gemini mcp add --scope user --transport http ${SERVER} ${quote(url)}`),
        json("~/.gemini/settings.json", { mcpServers: { [SERVER]: { httpUrl: url } } }),
      ],
    },
    {
      key: "other",
      name: "Another",
      ways: [{ kind: "address", where: "Wherever it asks for an MCP server (streamable HTTP)", text: url }],
    },
  ];
}

/** Its file takes only commands, which work on the same machine; an address goes into its settings. */
function desktop(origin: string, url: string): Way {
  return isThisMachine(origin)
    ? json("Settings → Developer → Edit Config", { mcpServers: { [SERVER]: { command: SERVER, args: ["mcp"] } } })
    : { kind: "address", where: "Settings → Connectors → Add custom connector", text: url };
}

export function isThisMachine(origin: string): boolean {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

function command(text: string): Way {
  return { kind: "command", where: TERMINAL, text };
}

function json(where: string, config: unknown): Way {
  return { kind: "json", where, text: JSON.stringify(config, null, 2) };
}

/** For a shell: as it is where nothing in it means anything to one. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
