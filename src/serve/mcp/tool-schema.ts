// The schema of a tool as every client accepts it: one type for each field, no references, no unions, no keywords that
// some client refuses. What it leaves out is still checked when the tool is called.

import { z } from 'zod';

type Schema = { readonly [key: string]: unknown };

const KEPT: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'additionalProperties',
]);

export function toolInputSchema(input: z.ZodType, without: readonly string[]): Schema {
  const schema = simple(z.toJSONSchema(input, { io: 'input' }));
  const { properties = {}, required = [] } = schema as { properties?: Record<string, unknown>; required?: string[] };
  const kept = Object.entries(properties).filter(([name]) => !without.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(kept),
    required: required.filter((name) => !without.includes(name)),
    additionalProperties: false,
  };
}

/** Without descriptions: a model reads the answer itself, and the list of tools must stay short. */
export function toolOutputSchema(output: z.ZodType): Schema {
  return simple(z.toJSONSchema(output, { io: 'input' }), false);
}

function simple(schema: Schema, describes = true): Schema {
  const { anyOf, ...own } = schema as { anyOf?: readonly Schema[] };
  const one = anyOf?.find(({ type }) => type !== 'null');
  const isNullable = anyOf?.some(({ type }) => type === 'null') ?? false;
  const whole: Schema =
    one === undefined ? own : { ...own, ...one, ...(isNullable && !describes ? { type: [one['type'], 'null'] } : {}) };
  const entries = Object.entries(whole)
    .filter(([key]) => KEPT.has(key) && (describes || key !== 'description'))
    .map(([key, value]) => [key, part(key, value, describes)] as const);
  return Object.fromEntries(entries);
}

function part(key: string, value: unknown, describes: boolean): unknown {
  if (key === 'items') return simple(value as Schema, describes);
  if (key === 'additionalProperties' && typeof value === 'object') return simple(value as Schema, describes);
  if (key !== 'properties') return value;
  const fields = Object.entries(value as Record<string, Schema>);
  return Object.fromEntries(fields.map(([name, field]) => [name, simple(field, describes)]));
}
