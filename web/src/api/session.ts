// Who is signed in, and talking to the API as them.
//
// The access token lives in this tab only. The refresh token is good for one use, so tabs take turns with it, and it is
// used no more often than it must be: a page that is left while it waits for the next one would be signed out. Where
// nobody has to sign in there is neither.

const KEPT = "taskpilot.refresh";
const TURN = "taskpilot.refresh";
const HELD = "taskpilot.access";

let access: string | null = readHeld();
let renewing: Promise<boolean> | null = null;
const watchers = new Set<() => void>();

interface Pair {
  token: string;
  refresh_token: string;
}

/** What the API said instead of an answer, in its own words. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string = "",
    readonly details: unknown = null,
  ) {
    super(message);
  }

  /** No answer came: the server is away, or the network. */
  get away(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export interface Asking {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The answer of the API, or a Problem. A token that has run out is renewed once. */
export async function call<T>(method: string, path: string, asking: Asking = {}): Promise<T> {
  return read<T>(await send(method, path, asking));
}

/** The bare response, for streams. */
export async function send(method: string, path: string, asking: Asking = {}): Promise<Response> {
  if (!access && isKept()) await renew();
  const answer = await reach(method, path, asking);
  if (!hasRunOut(answer) || !isKept() || !(await renew())) return answer;
  return reach(method, path, asking);
}

/** Whether it is the token that was refused. A wrong password is refused, too, and must not be tried twice. */
function hasRunOut(answer: Response): boolean {
  const challenge = answer.headers.get("WWW-Authenticate");
  return answer.status === 401 && (challenge === null || challenge.includes("invalid_token"));
}

export async function enter(path: "/api/auth/signin" | "/api/auth/signup", body: unknown): Promise<void> {
  keep(await read<Pair>(await reach("POST", path, { body })));
  tell();
}

export async function leave(): Promise<void> {
  if (access) await call("POST", "/api/auth/signout").catch(() => undefined);
  forget();
  tell();
}

/** Told when somebody signs in or out here or in another tab. */
export function onSession(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

export function isKept(): boolean {
  return localStorage.getItem(KEPT) !== null;
}

addEventListener("storage", (event) => {
  if (event.key === KEPT && event.newValue === null) {
    hold(null);
    tell();
  }
});

function renew(): Promise<boolean> {
  renewing ??= takeTurn(tryToRenew).finally(() => {
    renewing = null;
  });
  return renewing;
}

async function takeTurn(work: () => Promise<boolean>): Promise<boolean> {
  // Without locks (an address that is not https), two tabs may collide: one of them signs in again.
  return "locks" in navigator ? await navigator.locks.request(TURN, work) : work();
}

async function tryToRenew(): Promise<boolean> {
  const kept = localStorage.getItem(KEPT);
  if (!kept) return false;
  hold(null);
  const answer = await reach("POST", "/api/auth/refresh", { body: { refresh_token: kept } });
  if (answer.ok) keep((await answer.json()) as Pair);
  else if (answer.status < 500 && answer.status !== 429) {
    forget();
    tell();
  }
  return answer.ok;
}

function keep(pair: Pair): void {
  hold(pair.token);
  localStorage.setItem(KEPT, pair.refresh_token);
}

function forget(): void {
  hold(null);
  localStorage.removeItem(KEPT);
}

function hold(token: string | null): void {
  access = token;
  if (token === null) sessionStorage.removeItem(HELD);
  else sessionStorage.setItem(HELD, token);
}

/** From before this tab was loaded again. Signed out in another tab meanwhile, it is nobody's. */
function readHeld(): string | null {
  return typeof sessionStorage !== "undefined" && isKept() ? sessionStorage.getItem(HELD) : null;
}

function tell(): void {
  for (const watch of watchers) watch();
}

async function reach(method: string, path: string, { body, headers, signal }: Asking): Promise<Response> {
  const all: Record<string, string> = { ...headers };
  if (access) all["Authorization"] = `Bearer ${access}`;
  if (body !== undefined) all["Content-Type"] = "application/json";
  try {
    return await fetch(path, {
      method,
      headers: all,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, "TaskPilot cannot be reached just now. Nothing was changed; try again in a moment.");
  }
}

async function read<T>(answer: Response): Promise<T> {
  if (answer.status === 204) return undefined as T;
  const found = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (answer.ok) return found as T;
  const said = typeof found["detail"] === "string" ? found["detail"] : `The server answered ${answer.status}.`;
  throw new Problem(answer.status, said, String(found["error"] ?? ""), found["details"]);
}
