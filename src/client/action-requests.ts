// Which HTTP request calls an action: the route whose path has the most of its inputs, the rest in the query or the body.

import { pinakesError } from '../core/model/errors.ts';
import { HTTP_ROUTES, type ClientRoute } from './http-routes.table.ts';

export interface ActionRequest {
  /** From the root of the server. */
  readonly url: string;
  readonly method: string;
  /** JSON. */
  readonly body: string | null;
}

/** Values that fit into a query string. */
type QueryValue = string | number | boolean | null;

type Input = Readonly<Record<string, unknown>>;

/** Raises `server.unsupported`. */
export function requestOf(action: string, input: object, answer: 'json' | 'file' = 'json'): ActionRequest {
  const provided: Input = { ...input };
  const { method, path, fixedInput = {} } = chooseRoute(action, provided, answer);
  const inPath = new Set(pathInputs(path));
  const rest = Object.entries(provided).filter(
    ([name, value]) => value !== undefined && !inPath.has(name) && !(name in fixedInput),
  );
  const url = `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(provided[name])))}`;
  if (method === 'POST' || method === 'PATCH') return { url, method, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest)
    for (const one of [value as QueryValue | readonly QueryValue[]].flat())
      if (one !== null) query.append(name, String(one));
  return { url: query.size === 0 ? url : `${url}?${query.toString()}`, method, body: null };
}

function chooseRoute(action: string, input: Input, answer: 'json' | 'file'): ClientRoute {
  const candidates = HTTP_ROUTES.filter(
    (route) =>
      route.action === action &&
      (route.isFile === true) === (answer === 'file') &&
      // The name of a file is for those who store it.
      (route.isFile === true ||
        Object.entries(route.fixedInput ?? {}).every(([name, value]) => input[name] === value)) &&
      pathInputs(route.path).every((name) => input[name] !== undefined),
  );
  const [best] = candidates.toSorted((a, b) => pathInputs(b.path).length - pathInputs(a.path).length);
  if (best === undefined) throw pinakesError('server.unsupported', { action });
  return best;
}

function pathInputs(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
