// A library on a remote server: every call uses its HTTP routes.

import { agentStepOf, pinakesError } from '../../core/model/errors.ts';
import { httpRoutes, pathInputs, type HttpRoute } from '../http/http-routes.ts';
import type { CallAction } from '../call-action.ts';
import type { ErrorBody } from '../public-error.ts';
import type { OpenLibrary } from '../cli/cli-runtime.ts';

export interface RemoteServer {
  /** Base URL, such as `https://docs.corp.example`. */
  readonly server: string;
  /** Empty if none is needed. */
  readonly token: string;
}

export function openRemoteLibrary(remote: RemoteServer): OpenLibrary {
  return {
    call: createRemoteCall(remote),
    startWorker: () => undefined,
    continuesInBackground: true,
    close: async () => undefined,
  };
}

/** Raises `server.unsupported`, `server.unreachable`, `server.unauthorized`, or `server.refused` with the server's message. */
export function createRemoteCall({ server, token }: RemoteServer): CallAction {
  const base = server.replace(/\/+$/, '');
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  return async (action, input, { signal } = {}) => {
    const { url, method, body } = buildRequest(action, input as Readonly<Record<string, unknown>>);
    const headers = body === null ? authorization : { ...authorization, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === null ? {} : { body }), ...(signal === undefined ? {} : { signal }) };
    const response = await fetch(base + url, init).catch((error: unknown) => {
      throw pinakesError('server.unreachable', { server: base, why: reasonOf(error) }, error);
    });
    if (response.status === 401) {
      const why = token === '' ? 'requires an access token' : 'does not accept the access token in PINAKES_TOKEN';
      throw pinakesError('server.unauthorized', { server: base, why });
    }
    return readResult(response, base);
  };
}

/** Values that fit into a query string. */
type QueryValue = string | number | boolean | null;

interface RemoteRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | null;
}

export function buildRequest(action: string, input: Readonly<Record<string, unknown>>): RemoteRequest {
  const { binding } = chooseRoute(action, input);
  const inPath = pathInputs(binding);
  const fixed = Object.keys(binding.fixedInput ?? {});
  const rest = Object.entries(input).filter(
    ([name, value]) => value !== undefined && !inPath.includes(name) && !fixed.includes(name),
  );
  const path = `/api${binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))}`;
  if (binding.method === 'POST') return { url: path, method: 'POST', body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest)
    for (const one of [value as QueryValue | readonly QueryValue[]].flat())
      if (one !== null) query.append(name, String(one));
  return { url: rest.length === 0 ? path : `${path}?${query.toString()}`, method: binding.method, body: null };
}

/** The route whose fixed inputs match and whose path contains the most inputs. */
function chooseRoute(action: string, input: Readonly<Record<string, unknown>>): HttpRoute {
  const candidates = httpRoutes.filter(
    ({ action: { name }, binding }) =>
      name === action &&
      binding.file === undefined &&
      Object.entries(binding.fixedInput ?? {}).every(([field, value]) => input[field] === value) &&
      pathInputs(binding).every((field) => input[field] !== undefined),
  );
  const [best] = candidates.toSorted((a, b) => pathInputs(b.binding).length - pathInputs(a.binding).length);
  if (best === undefined) throw pinakesError('server.unsupported', { action });
  return best;
}

async function readResult(response: Response, server: string): Promise<unknown> {
  const text = await response.text();
  const json = parseJson(text);
  if (response.ok && json !== undefined) return json;
  const {
    code = '',
    message,
    nextStep = null,
  } = (json as { error?: Partial<ErrorBody['error']> } | undefined)?.error ?? {};
  if (message === undefined) {
    const why = `it responded with status ${response.status}, and not as Pinakes does`;
    throw pinakesError('server.unreachable', { server, why });
  }
  const advice = nextStep ?? 'See its log for details';
  throw pinakesError('server.refused', { server, message, advice, agentAdvice: agentStepOf(code) ?? advice });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'the connection failed';
}
