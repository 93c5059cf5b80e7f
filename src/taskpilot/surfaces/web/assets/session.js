// Talking to the API as whoever is signed in. The access token lives in this page only; the refresh token, which is
// good for one use, in this tab.

const KEPT = "taskpilot.refresh";
let access = null;
let renewing = null;

export function isSignedIn() {
  return access !== null;
}

// What the API answers; an Error with its own words if it refuses. A token that has run out is renewed once.
export async function call(method, path, body) {
  let answer = await send(method, path, body);
  if (answer.status === 401 && sessionStorage.getItem(KEPT) && await renew()) answer = await send(method, path, body);
  return read(answer);
}

// Come in by email and password, into an old account or a new one.
export async function enter(path, body) {
  keep(await read(await send("POST", path, body)));
}

export function leave() {
  access = null;
  sessionStorage.removeItem(KEPT);
}

// Take up the login of this tab again, if there is one. Those who ask meanwhile share the one attempt.
export function renew() {
  renewing ??= tryToRenew().finally(() => { renewing = null; });
  return renewing;
}

async function tryToRenew() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return false;
  access = null;
  const answer = await send("POST", "/api/auth/refresh", { refresh_token: kept });
  if (answer.ok) keep(await answer.json());
  else if (answer.status < 500 && answer.status !== 429) leave();
  return answer.ok;
}

function keep(pair) {
  access = pair.token;
  sessionStorage.setItem(KEPT, pair.refresh_token);
}

function send(method, path, body) {
  const headers = {};
  if (access) headers.Authorization = `Bearer ${access}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "omit", cache: "no-store",
  });
}

async function read(answer) {
  if (answer.status === 204) return null;
  const found = await answer.json().catch(() => ({}));
  if (answer.ok) return found;
  const refused = new Error(found.detail ?? `The server answered ${answer.status}.`);
  refused.status = answer.status;
  throw refused;
}
