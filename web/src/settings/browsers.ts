const NAMES: Record<string, string> = { Edg: "Edge", OPR: "Opera" };

/** A browser says a lot about itself; people know it by its name. */
export function nameClient(client: string): string {
  const browser = (/(Firefox|Edg|OPR)\//.exec(client) ?? /(Chrome|Safari)\//.exec(client))?.[1];
  if (!client.startsWith("Mozilla/") || !browser) return client || "A program";
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(client)?.[0];
  const name = NAMES[browser] ?? browser;
  return system ? `${name} on ${system.replace("Mac OS X", "a Mac")}` : name;
}
