// A JSON schema as a nested Markdown list. Inline objects are shown three levels deep, references by their name.

import { fieldOf, isRecord, listOf, textOf } from './data/json-fields.ts';

const MAX_DEPTH = 3;
const MAX_ENUM = 30;
const COMBINED = [
  ['allOf', 'all of'],
  ['oneOf', 'one of'],
  ['anyOf', 'any of'],
] as const;

export function schemaLines(schema: unknown): readonly string[] {
  const lines: string[] = [];
  const type = schemaType(schema);
  if (type !== '' && type !== '`object`') lines.push(`Type: ${type}`, '');
  pushProperties(schema, 0, lines);
  return lines;
}

/** `Pet`, `array of Pet`, `one of Cat, Dog`, `string (date-time)`, with its values where they are listed. */
export function schemaType(schema: unknown, depth = 0): string {
  if (!isRecord(schema) || depth > MAX_DEPTH) return '';
  const reference = textOf(schema, '$ref');
  if (reference !== '') return referenceName(reference);
  const combined = combinedType(schema, depth);
  if (combined !== '') return combined;
  const type = typeWord(schema);
  if (type !== 'array') return `${type === '' ? '' : `\`${type}\``}${formatOf(schema)}${valuesOf(schema)}`.trim();
  const items = schemaType(fieldOf(schema, 'items'), depth + 1);
  return items === '' ? '`array`' : `array of ${items}`;
}

function referenceName(reference: string): string {
  return `\`${reference.startsWith('#/') ? (reference.split('/').at(-1) ?? reference) : reference}\``;
}

function combinedType(schema: unknown, depth: number): string {
  for (const [key, words] of COMBINED) {
    const parts = listOf(schema, key).map((part) => schemaType(part, depth + 1));
    const named = parts.filter((part) => part !== '').slice(0, MAX_ENUM);
    if (named.length > 0) return `${words} ${named.join(', ')}`;
  }
  return '';
}

function typeWord(schema: unknown): string {
  const type = fieldOf(schema, 'type');
  if (Array.isArray(type)) return type.filter((word) => typeof word === 'string').join(' | ');
  if (typeof type === 'string') return type;
  return isRecord(fieldOf(schema, 'properties')) ? 'object' : '';
}

function formatOf(schema: unknown): string {
  const format = textOf(schema, 'format');
  return format === '' ? '' : ` (${format})`;
}

function valuesOf(schema: unknown): string {
  const values = listOf(schema, 'enum').slice(0, MAX_ENUM);
  return values.length === 0 ? '' : ` one of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`;
}

function pushProperties(schema: unknown, depth: number, lines: string[]): void {
  if (depth >= MAX_DEPTH || !isRecord(schema)) return;
  for (const part of listOf(schema, 'allOf')) pushProperties(part, depth + 1, lines);
  const properties = fieldOf(schema, 'properties');
  if (!isRecord(properties)) return;
  const required = new Set(listOf(schema, 'required'));
  for (const [name, property] of Object.entries(properties)) {
    lines.push(`${'  '.repeat(depth)}- ${fieldLine(name, property, required.has(name))}`);
    pushProperties(fieldOf(property, 'items') ?? property, depth + 1, lines);
  }
}

/** `name` (type, required): first words of the description, on one line. */
export function fieldLine(
  name: string,
  schema: unknown,
  isRequired: boolean,
  said = textOf(schema, 'description'),
): string {
  const fallback = fieldOf(schema, 'default');
  const notes = [
    schemaType(schema),
    isRequired ? 'required' : '',
    fieldOf(schema, 'deprecated') === true ? 'deprecated' : '',
    fallback === undefined ? '' : `default \`${JSON.stringify(fallback)}\``,
  ].filter((note) => note !== '');
  const description = said.replace(/\s+/g, ' ');
  return `\`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${description === '' ? '' : `: ${description}`}`;
}
