// A library behind a server elsewhere: every call goes over its HTTP routes.

import { pinakesError } from '../../core/model/errors.ts';
import { httpRoutes, pathInputs, type HttpRoute } from '../http/http-routes.ts';
import type { CallAction } from '../call-action.ts';
import type { OpenLibrary } from '../cli/cli-runtime.ts';

export interface RemoteServer {
  /** Where it answers, such as `https://docs.corp.example`. */
  readonly server: string;
  /** Empty where none is needed. */
  readonly token: string;
}

export function openRemoteLibrary(remote: RemoteServer): OpenLibrary {
  return {
    call: createRemoteCall(remote),
    work: () => undefined,
    goesOn: true,
    close: async () => undefined,
  };
}

/** Raises `server.not-offered`, `server.unreachable`, or `server.refused` with what the server says. */
export function createRemoteCall({ server, token }: RemoteServer): CallAction {
  const base = server.replace(/\/+$/, '');
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  return async (action, given, { signal } = {}) => {
    const { url, method, body } = requestOf(action, given as Readonly<Record<string, unknown>>);
    const headers = body === null ? authorization : { ...authorization, 'content-type': 'application/json' };
    const asked = { method, headers, ...(body === null ? {} : { body }), ...(signal === undefined ? {} : { signal }) };
    const response = await fetch(base + url, asked).catch((error: unknown) => {
      throw pinakesError('server.unreachable', { server: base, why: reasonOf(error) }, error);
    });
    return answerOf(response, base);
  };
}

/** What a query can hold. */
type Plain = string | number | boolean | null;

interface RemoteRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | null;
}

export function requestOf(action: string, given: Readonly<Record<string, unknown>>): RemoteRequest {
  const { door } = routeFor(action, given);
  const inPath = pathInputs(door);
  const said = Object.keys(door.says ?? {});
  const rest = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !inPath.includes(name) && !said.includes(name),
  );
  const path = `/api${door.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))}`;
  if (door.method === 'POST') return { url: path, method: 'POST', body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest)
    for (const one of [value as Plain | readonly Plain[]].flat()) if (one !== null) query.append(name, String(one));
  return { url: rest.length === 0 ? path : `${path}?${query.toString()}`, method: door.method, body: null };
}

/** The way that says what is given, and whose path names as much of it as any. */
function routeFor(action: string, given: Readonly<Record<string, unknown>>): HttpRoute {
  const fitting = httpRoutes.filter(
    ({ action: { name }, door }) =>
      name === action &&
      door.file === undefined &&
      Object.entries(door.says ?? {}).every(([input, value]) => given[input] === value) &&
      pathInputs(door).every((input) => given[input] !== undefined),
  );
  const [best] = fitting.toSorted((a, b) => pathInputs(b.door).length - pathInputs(a.door).length);
  if (best === undefined) throw pinakesError('server.not-offered', { action });
  return best;
}

async function answerOf(response: Response, server: string): Promise<unknown> {
  const text = await response.text();
  const json = parsed(text);
  if (response.ok && json !== undefined) return json;
  const { message = `it answered ${response.status}`, nextStep = null } =
    (json as { error?: { message?: string; nextStep?: string | null } } | undefined)?.error ?? {};
  throw pinakesError('server.refused', { server, message, advice: nextStep ?? 'Its log may say more' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'it cannot be asked';
}
