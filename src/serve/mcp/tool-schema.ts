// The schema of a tool as every client accepts it: one type for each field, no references, no unions, no keywords that
// some client refuses. What it leaves out is still checked when the tool is called.

import { z } from 'zod';

type Schema = { readonly [key: string]: unknown };
type Fields = Readonly<Record<string, Schema>>;

const KEPT: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'items', 'properties']);

export function toolInputSchema(input: z.ZodType, without: readonly string[]): Schema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: Fields;
    required?: string[];
  };
  const kept = Object.entries(properties).filter(([name]) => !without.includes(name));
  const named = required.filter((name) => !without.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(kept.map(([name, field]) => [name, inputField(field)])),
    ...(named.length > 0 ? { required: named } : {}),
    additionalProperties: false,
  };
}

function inputField(schema: Schema): Schema {
  const whole = { ...schema, ...variantOf(schema) };
  const entries = Object.entries(whole).filter(([key]) => KEPT.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'items' ? inputField(value as Schema) : value]),
  );
}

/** Of a field that may be null, what it is else. */
function variantOf({ type: given, anyOf }: { readonly type?: unknown; readonly anyOf?: readonly Schema[] }): Schema {
  if (Array.isArray(given)) return { type: given.find((type) => type !== 'null') };
  return anyOf?.find(({ type }) => type !== 'null') ?? {};
}

/**
 * Without descriptions, and without fields that may be null, which would have two types. Only the first list of things is
 * spelt out: the rest is seen in the answer itself, and the list of tools must stay short.
 */
export function toolOutputSchema(output: z.ZodType): Schema {
  const fields = certainFields(z.toJSONSchema(output, { io: 'input' }) as Schema);
  const main = fields.find(([, field]) => thingsIn(field) !== null)?.[0];
  const properties = fields.map(([name, field]) => {
    const things = name === main ? thingsIn(field) : null;
    return [name, things === null ? flat(field) : { type: 'array', items: spelt(things) }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function certainFields({ properties = {} }: { readonly properties?: Fields }): [string, Schema][] {
  return Object.entries(properties).filter(([, { type }]) => typeof type === 'string');
}

/** What a list of objects holds; null for anything else. */
function thingsIn({ type, items }: { readonly type?: unknown; readonly items?: unknown }): Schema | null {
  const inner = (items ?? {}) as Schema;
  return type === 'array' && inner['type'] === 'object' ? inner : null;
}

function spelt(things: Schema): Schema {
  const fields = certainFields(things).map(([name, field]) => [name, flat(field)] as const);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

function flat({ type, items }: { readonly type?: unknown; readonly items?: unknown }): Schema {
  return type === 'array' ? { type, items: flat(items ?? {}) } : { type };
}
