// The inputs and the result of an action as rows of a table: name, value, default, meaning.

import { z } from 'zod';
import { inCode } from './markdown.ts';

interface Field {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const FIELD_HEAD = ['input', 'value', 'default', 'description'] as const;

export function fieldRows(schema: z.ZodType, without: readonly string[] = []): string[][] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, Field>;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => [
      inCode(name),
      valueText(field),
      required.includes(name) ? 'required' : defaultText(field.default),
      field.description ?? '',
    ]);
}

export const RESULT_HEAD = ['result', 'value', 'description'] as const;

/** The fields of a result at any depth: `passages[].url`. */
export function resultRows(schema: z.ZodType): string[][] {
  return nestedRows(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Field, '');
}

function nestedRows({ properties = {}, items, anyOf = [] }: Field, path: string): string[][] {
  const rows = Object.entries(properties).flatMap(([name, field]) => {
    const full = path === '' ? name : `${path}.${name}`;
    return [[inCode(full), valueText(field), field.description ?? ''], ...nestedRows(field, full)];
  });
  const alternatives = anyOf.flatMap((one) => nestedRows(one, path));
  const all = [...rows, ...alternatives, ...(items === undefined ? [] : nestedRows(items, `${path}[]`))];
  // Alternatives share fields.
  return [...new Map(all.map((row) => [row.join(), row])).values()];
}

function defaultText(value: unknown): string {
  return value === undefined || value === null || value === '' ? '' : inCode(JSON.stringify(value));
}

function valueText(field: Field): string {
  if (field.anyOf !== undefined) return field.anyOf.map(valueText).join(' or ');
  if (field.enum !== undefined) return field.enum.map((value) => inCode(String(value))).join(', ');
  if (field.type === 'array') return `list of ${valueText(field.items ?? {})}`;
  if (field.type === 'integer' || field.type === 'number') return `number${rangeText(field)}`;
  return [field.type ?? 'any'].flat().join(' or ');
}

function rangeText({ minimum, maximum }: Field): string {
  const max = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (minimum !== undefined && max !== undefined) return ` from ${minimum} to ${max}`;
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) return ` from ${minimum}`;
  return max === undefined ? '' : ` up to ${max}`;
}
