// Faults of a tool schema that some client would reject: the strict subset that all accept has one type per field, few
// keywords, no references and no unions.

import type { Schema } from './listed-tools.ts';

const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'additionalProperties',
]);
const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;
const MAX_DEPTH = 5;

export function schemaFaults(schema: Schema, at: string, depth = 0): string[] {
  const faults = Object.keys(schema)
    .filter((key) => !KEYWORDS.has(key))
    .map((key) => `${at}: the keyword ${key}`);
  if (!TYPES.has(schema['type'])) faults.push(`${at}: the type ${JSON.stringify(schema['type'])}`);
  if (depth > MAX_DEPTH) faults.push(`${at}: too deep`);
  if (depth === 0 && schema['type'] !== 'object') faults.push(`${at}: the root is not an object`);
  faults.push(...enumFaults(schema, at), ...objectFaults(schema, at, depth));
  if (schema['type'] === 'array') {
    if (schema['items'] === undefined) faults.push(`${at}: a list of what?`);
    else faults.push(...schemaFaults(schema['items'] as Schema, `${at}[]`, depth + 1));
  }
  return faults;
}

function enumFaults({ type, enum: values }: Schema, at: string): string[] {
  if (values === undefined) return [];
  const isPlain = type === 'string' && Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isPlain ? [] : [`${at}: an enum that is not of texts`];
}

function objectFaults(schema: Schema, at: string, depth: number): string[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const closed = schema['additionalProperties'];
  return [
    ...required.filter((name) => !(name in properties)).map((name) => `${at}: requires ${name}, which is not there`),
    ...(closed === undefined || closed === false ? [] : [`${at}: additionalProperties is a schema`]),
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(NAME.test(name) ? [] : [`${at}: the name ${name}`]),
      ...schemaFaults(field, `${at}.${name}`, depth + 1),
    ]),
  ];
}
