// Inputs that arrive as text although they are numbers or switches: in the query of a URL always, from an agent often.

import { z } from 'zod';

export interface TypedField {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly TypedField[];
}

const cache = new WeakMap<z.ZodObject, ReadonlyMap<string, string>>();

/** The JSON type of each input, without `null`. */
export function inputTypes(schema: z.ZodObject): ReadonlyMap<string, string> {
  let types = cache.get(schema);
  if (types === undefined) {
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: Record<string, TypedField> };
    const entries = Object.entries(properties).map(([name, field]) => [name, typeOf(field) ?? ''] as const);
    types = new Map(entries);
    cache.set(schema, types);
  }
  return types;
}

export function typeOf(field: TypedField): string | undefined {
  return typesOf(field).find((type) => type !== 'null');
}

export function typesOf({ type = [], anyOf = [] }: TypedField): readonly string[] {
  return [...(typeof type === 'string' ? [type] : type), ...anyOf.flatMap(typesOf)];
}

/** A text that does not parse as its type stays a text, so that the schema rejects it by name. */
export function parseTyped(text: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (type !== 'boolean') return text;
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
}

/** Agents send `"3"` for 3 and `"true"` for true. */
export function parseTypedFields(schema: z.ZodObject, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const types = inputTypes(schema);
  const entries = Object.entries(input).map(([name, value]) => {
    return [name, typeof value === 'string' ? parseTyped(value, types.get(name)) : (value as unknown)] as const;
  });
  return Object.fromEntries(entries);
}
