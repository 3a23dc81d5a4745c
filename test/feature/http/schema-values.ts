// Generates values for a JSON Schema and validates values against one, for the subset that our schemas use.

import fc from 'fast-check';
import { z } from 'zod';
import type { Json } from './openapi-faults.ts';

/** Names that exist, so that not every request ends with "unknown source". */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  source: ['guide', 'nowhere'],
  run: ['1', 'guide', '99'],
  target: ['file:///guide.md', 'guide.md', 'abcdefabcdef'],
  url: ['https://192.0.2.1/docs', 'http://127.0.0.1:1/', 'nonsense'],
  startUrl: ['https://192.0.2.1/docs'],
};

export function arbitraryValue(name: string, schema: Json): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));
  return fc.oneof({ weight: 8, arbitrary: validValue(name, schema) }, { weight: 1, arbitrary: wrong });
}

function validValue(name: string, schema: Json): fc.Arbitrary<unknown> {
  const {
    type,
    anyOf,
    enum: values,
    items,
    properties = {},
    required = [],
  } = schema as {
    type?: string;
    anyOf?: Json[];
    enum?: unknown[];
    items?: Json;
    properties?: Record<string, Json>;
    required?: string[];
  };
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => validValue(name, one)));
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === 'string')
    return fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('pool', ...(KNOWN_VALUES[name] ?? [])));
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer({ min: -5, max: 200 }), fc.maxSafeInteger());
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(validValue(name, items ?? {}), { maxLength: 3 });
  const fields = Object.entries(properties).map(([field, inner]) => [field, validValue(field, inner)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

const checks = new WeakMap<Json, z.ZodType>();

export function schemaAllows(schema: Json, value: unknown): boolean {
  let check = checks.get(schema);
  if (check === undefined) {
    check = z.fromJSONSchema(schema);
    checks.set(schema, check);
  }
  return check.safeParse(value).success;
}
