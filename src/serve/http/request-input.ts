// The input of an action from the path, the query and the JSON body of a request.

import type { Action, HttpBinding } from '../../actions/action.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { inputTypes, parseTyped } from '../input-types.ts';
import { parseInput } from '../parse-input.ts';

export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Raises `input.invalid` with every invalid field. */
export function parseRequestInput(
  action: Action,
  binding: HttpBinding,
  request: RequestParts,
): Record<string, unknown> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw pinakesError('input.invalid', { reason: 'the body must be a JSON object' });
  const input = { ...body, ...queryInput(action, request.query), ...request.path, ...binding.fixedInput };
  return parseInput(action, input);
}

function queryInput(action: Action, query: URLSearchParams): Record<string, unknown> {
  const types = inputTypes(action.input);
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) input[name] = parseQueryValue(query.getAll(name), types.get(name));
  return input;
}

function parseQueryValue(texts: readonly string[], type: string | undefined): unknown {
  const [text = ''] = texts;
  return type === 'array' || texts.length > 1 ? texts : parseTyped(text, type);
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** JSON serialization is recursive, so a deeper value would fail later and worse. */
const MAX_DEPTH = 100;

/** `checkLoad` is called with every chunk received, and raises if the server is overloaded. */
export async function readJsonBody(request: Request, checkLoad: () => void): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  const text = await readTextBody(request, checkLoad);
  if (text === '') return {};
  if (type !== 'application/json') throw pinakesError('http.unsupported-body', {});
  if (depthOf(text) > MAX_DEPTH) throw pinakesError('input.invalid', { reason: 'the body is nested too deep' });
  try {
    return JSON.parse(text);
  } catch {
    throw pinakesError('input.invalid', { reason: 'the body is not valid JSON' });
  }
}

async function readTextBody(request: Request, checkLoad: () => void): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return '';
  const received: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const bytes of request.body) {
      checkLoad();
      size += bytes.byteLength;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      received.push(bytes);
    }
  } catch (error) {
    if (error instanceof PinakesError) throw error;
    // The client is gone, or what it sends is not HTTP: its fault, so neither an error in the log nor a failure of the server.
    throw pinakesError('input.invalid', { reason: 'the body ended early' }, error);
  }
  return Buffer.concat(received).toString('utf8');
}

function tooLarge(): Error {
  return pinakesError('http.too-large', { limit: MAX_BODY_BYTES });
}

/** Maximum nesting of brackets outside strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}
