// Walks through every part of the protocol with an official client and prints what it saw, as JSON.
// node walk.mjs 1|2 legacy|2026-07-28 URL
// node walk.mjs 1|2 legacy|2026-07-28 COMMAND ARGUMENT…

const [sdk, revision, target, ...rest] = process.argv.slice(2);
const legacy = revision === 'legacy';
const isHttp = target.startsWith('http');

const load = {
  1: async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    return { Client, StdioClientTransport, StreamableHTTPClientTransport,
      elicit: types.ElicitRequestSchema, updated: types.ResourceUpdatedNotificationSchema };
  },
  2: async () => {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    return { Client, StdioClientTransport, StreamableHTTPClientTransport,
      elicit: 'elicitation/create', updated: 'notifications/resources/updated' };
  },
};

const parts = await load[sdk]();
const transport = isHttp
  ? new parts.StreamableHTTPClientTransport(new URL(target))
  : new parts.StdioClientTransport({ command: target, args: rest, stderr: 'inherit' });
const client = new parts.Client(
  { name: `typescript-${sdk}`, version: '1' },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: legacy ? 'legacy' : { pin: revision } } },
);

const seen = { asked: [], updates: [], progress: [] };
let action = 'decline';
client.setRequestHandler(parts.elicit, async (request) => {
  seen.asked.push(request.params.message);
  return action === 'accept' ? { action, content: { confirm: true } } : { action };
});
client.setNotificationHandler(parts.updated, (notification) => { seen.updates.push(notification.params.uri); });

const call = (name, args = {}, options = {}) =>
  sdk === '1' ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);
const failing = async (promise) => {
  try { await promise; return null; } catch (error) { return { code: error.code, message: error.message }; }
};
const until = async (condition) => {
  for (let tries = 0; tries < 500 && !condition(); tries++) await new Promise((done) => setTimeout(done, 20));
};

await client.connect(transport);
seen.server = client.getServerVersion();
seen.capabilities = client.getServerCapabilities();
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
seen.added = await call('add', { title: 'Walls' });
seen.shown = (await call('show')).content.map((part) => part.type);
// With a pause: this client forgets a progress token as soon as the result is there, though steps wait in line.
await call('walk', { steps: 3, pause: 0.05 }, { onprogress: (step) => seen.progress.push([step.progress, step.total, step.message]) });
seen.refused = await call('rename', { id: 999, title: 'Nobody' });
seen.resources = (await client.listResources()).resources.map((each) => each.uri);
seen.templates = (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate);
seen.read = (await client.readResource({ uri: 'tasks://all' })).contents;
seen.missing = await failing(client.readResource({ uri: 'tasks://nowhere' }));
seen.prompts = (await client.listPrompts()).prompts.map((each) => each.name);
seen.prompt = (await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).messages;
const reference = { type: 'ref/resource', uri: 'tasks://{id}' };
seen.completion = (await client.complete({ ref: reference, argument: { name: 'id', value: '24' } })).completion;

const subscription = legacy
  ? await client.subscribeResource({ uri: 'tasks://1' })
  : await client.listen({ resourceSubscriptions: ['tasks://1'] });
await call('rename', { id: 1, title: 'Higher walls' });
await until(() => seen.updates.length > 0);
if (legacy) await client.unsubscribeResource({ uri: 'tasks://1' });
else await subscription.close();

seen.kept = await call('delete', { id: 1 });
action = 'accept';
seen.deleted = await call('delete', { id: 1 });

const cancel = new AbortController();
const walking = failing(call('walk', { steps: 1000, pause: 0.02 }, { signal: cancel.signal }));
await new Promise((done) => setTimeout(done, 300));
cancel.abort();
seen.cancelled = (await walking) !== null;
const count = async () => (await client.readResource({ uri: 'tasks://all' })).contents[0].text.split('\n').length;
await new Promise((done) => setTimeout(done, 300));
const stopped = await count();
await new Promise((done) => setTimeout(done, 300));
seen.stoppedWalking = (await count()) === stopped;

await client.close();
console.log(JSON.stringify(seen));
