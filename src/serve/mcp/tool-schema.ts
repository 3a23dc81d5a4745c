// The schema of a tool as every client accepts it: one type for each field, no references, no unions, no keywords that
// some client refuses. What it leaves out is still checked when the tool is called.

import { z } from 'zod';

type Schema = { readonly [key: string]: unknown };
type Fields = Readonly<Record<string, Schema>>;

const KEPT: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'items', 'properties']);

/** What an answer holds further down is seen in the answer itself; the list of tools must stay short. */
const DEEPEST_ANSWER = 2;

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
function variantOf({ anyOf }: { readonly anyOf?: readonly Schema[] }): Schema {
  return anyOf?.find(({ type }) => type !== 'null') ?? {};
}

/** Without descriptions, and without fields that may be null: those would have two types. */
export function toolOutputSchema(output: z.ZodType): Schema {
  return { type: 'object', properties: fieldsOf(z.toJSONSchema(output, { io: 'input' }) as Schema, 0) };
}

function fieldsOf({ properties = {} }: { readonly properties?: Fields }, depth: number): Fields {
  const certain = Object.entries(properties).filter(([, { type }]) => typeof type === 'string');
  return Object.fromEntries(certain.map(([name, field]) => [name, outputField(field, depth)]));
}

function outputField(schema: Schema, depth: number): Schema {
  const { type, items } = schema;
  if (type === 'array') return { type, items: outputField((items ?? {}) as Schema, depth) };
  if (type !== 'object' || depth + 1 >= DEEPEST_ANSWER) return { type };
  const properties = fieldsOf(schema, depth + 1);
  return Object.keys(properties).length === 0 ? { type } : { type, properties };
}
