// The four verbs of the API.

import { type Asking, call } from "./session";

export { Problem } from "./session";

type Value = string | number | boolean | null | undefined;
type Query = Record<string, Value | Value[]>;

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return call<T>("GET", path + write(query), { signal });
}

export function post<T>(path: string, body: unknown = undefined, headers?: Asking["headers"]): Promise<T> {
  return call<T>("POST", path, { body, headers });
}

export function patch<T>(path: string, body: unknown, version?: number): Promise<T> {
  return call<T>("PATCH", path, { body, headers: match(version) });
}

export function put<T>(path: string, body: unknown, version?: number): Promise<T> {
  return call<T>("PUT", path, { body, headers: match(version) });
}

export function remove<T = void>(path: string, body: unknown = undefined, version?: number): Promise<T> {
  return call<T>("DELETE", path, { body, headers: match(version) });
}

/** Only if nobody has changed it since this version. */
export function match(version?: number): Record<string, string> {
  return version === undefined ? {} : { "If-Match": `"${version}"` };
}

/** Sent with a create, repeating it after a broken connection makes nothing twice. */
export function once(): Record<string, string> {
  // Not crypto.randomUUID, which is there on https only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { "Idempotency-Key": Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

function write(query: Query): string {
  const words = new URLSearchParams();
  for (const [name, given] of Object.entries(query))
    for (const value of Array.isArray(given) ? given : [given])
      if (value !== undefined && value !== null && value !== "") words.append(name, String(value));
  const text = words.toString();
  return text ? `?${text}` : "";
}
