// The input of an action, from the path, the query and the body of a request.

import { z } from 'zod';
import type { Action, HttpDoor } from '../../actions/action.ts';
import { pinakesError } from '../../core/model/errors.ts';

interface Field {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Field[];
}

export interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Raises `input.invalid`, with every field that is wrong. */
export function inputOfRequest(action: Action, door: HttpDoor, given: Given): Record<string, unknown> {
  const { body } = given;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw pinakesError('input.invalid', { why: 'the body must be a JSON object' });
  const input = { ...body, ...queryInput(action, given.query), ...given.path, ...door.says };
  const parsed = action.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
  throw pinakesError('input.invalid', { why });
}

function queryInput(action: Action, query: URLSearchParams): Record<string, unknown> {
  const fields = fieldsOf(action);
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) input[name] = valueOf(query.getAll(name), typeOf(fields[name] ?? {}));
  return input;
}

/** What cannot be read as its type stays a text, so that the schema refuses it by name. */
function valueOf(texts: readonly string[], type: string | undefined): unknown {
  const [text = ''] = texts;
  if (type === 'array') return texts;
  if (texts.length > 1) return texts;
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (type === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  return text;
}

const known = new WeakMap<Action, Record<string, Field>>();

function fieldsOf(action: Action): Record<string, Field> {
  let fields = known.get(action);
  if (fields === undefined) {
    const schema = z.toJSONSchema(action.input, { io: 'input' }) as { properties?: Record<string, Field> };
    fields = schema.properties ?? {};
    known.set(action, fields);
  }
  return fields;
}

function typeOf(field: Field): string | undefined {
  if (typeof field.type === 'string') return field.type;
  return field.anyOf?.map(typeOf).find((type) => type !== 'null');
}
