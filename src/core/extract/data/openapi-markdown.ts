// Writes OpenAPI operations as Markdown sections, and schemas as nested lists. Inline objects are shown three levels deep,
// references by name.

import { lineKinds } from '../../markdown/scan-blocks.ts';
import { dereference, fieldOf, isRecord, listOf, textOf, type JsonRecord } from './json-fields.ts';

const MAX_DEPTH = 3;
const MAX_ENUM = 30;
const COMBINED = [
  ['allOf', 'all of'],
  ['oneOf', 'one of'],
  ['anyOf', 'any of'],
] as const;

export interface Operation {
  /** `GET /pets/{id}`. */
  readonly heading: string;
  readonly operation: JsonRecord;
  readonly pathItem: unknown;
  /** The whole API description, for references to parameters, bodies and responses. */
  readonly api: unknown;
}

export function operationSection({ heading, operation, pathItem, api }: Operation): string {
  const resolve = (value: unknown): unknown => dereference(api, value);
  const parameters = [...listOf(pathItem, 'parameters'), ...listOf(operation, 'parameters')].map(resolve);
  const responses = fieldOf(operation, 'responses');
  const parts = [
    `## ${heading}`,
    textOf(operation, 'summary') || textOf(pathItem, 'summary'),
    demoteHeadings(textOf(operation, 'description') || textOf(pathItem, 'description')),
    metadataLines(operation).join('\n'),
    titledList('Parameters', parameters.map(parameterLine)),
    body(resolve(fieldOf(operation, 'requestBody'))),
    titledList('Responses', isRecord(responses) ? responseLines(Object.entries(responses), resolve) : []),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function metadataLines(operation: JsonRecord): readonly string[] {
  const id = textOf(operation, 'operationId');
  const tags = listOf(operation, 'tags').filter((tag) => typeof tag === 'string');
  const security = listOf(operation, 'security').flatMap((need) => (isRecord(need) ? Object.keys(need) : []));
  return [
    id === '' ? '' : `- Operation: \`${id}\``,
    tags.length === 0 ? '' : `- Tags: ${tags.join(', ')}`,
    security.length === 0 ? '' : `- Security: ${security.map((name) => `\`${name}\``).join(', ')}`,
    fieldOf(operation, 'deprecated') === true ? '- Deprecated' : '',
  ].filter((line) => line !== '');
}

function titledList(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `**${title}**\n\n${lines.join('\n')}`;
}

/** Swagger has type and format next to the name, OpenAPI in `schema`. */
function parameterLine(parameter: unknown): string {
  const reference = textOf(parameter, '$ref');
  if (reference !== '') return `- \`${reference}\``;
  const location = textOf(parameter, 'in');
  const schema = fieldOf(parameter, 'schema') ?? parameter;
  const line = fieldLine(
    textOf(parameter, 'name'),
    schema,
    fieldOf(parameter, 'required') === true,
    textOf(parameter, 'description'),
  );
  return location === '' ? `- ${line}` : `- ${line} *in ${location}*`;
}

function body(requestBody: unknown): string {
  if (!isRecord(requestBody)) return '';
  const lines = contentLines(requestBody);
  const description = demoteHeadings(textOf(requestBody, 'description'));
  const inside = [description, lines.join('\n')].filter((part) => part !== '').join('\n\n');
  return inside === '' ? '' : `**Request body**\n\n${inside}`;
}

function contentLines(holder: unknown): readonly string[] {
  const reference = textOf(holder, '$ref');
  if (reference !== '') return [`\`${reference}\``];
  const content = fieldOf(holder, 'content');
  if (!isRecord(content)) return [];
  return Object.entries(content).flatMap(([mediaType, media]) => {
    const schema = fieldOf(media, 'schema');
    const lines = schemaLines(schema).filter((line) => line !== '' && !line.startsWith('Type: '));
    const type = schemaType(schema);
    return [`- \`${mediaType}\`${type === '' ? '' : `: ${type}`}`, ...lines.map((line) => `  ${line}`)];
  });
}

function responseLines(
  responses: ReadonlyArray<readonly [string, unknown]>,
  resolve: (value: unknown) => unknown,
): readonly string[] {
  return responses.flatMap(([status, value]) => {
    const response = resolve(value);
    const description = textOf(response, 'description').replace(/\s+/g, ' ');
    const legacy = schemaType(fieldOf(response, 'schema'));
    const head = `- \`${status}\`${legacy === '' ? '' : ` (${legacy})`}${description === '' ? '' : `: ${description}`}`;
    return [head, ...contentLines(response).map((line) => `  ${line}`)];
  });
}

/** A heading inside a description would split the section, so it becomes bold text. */
export function demoteHeadings(markdown: string): string {
  if (!markdown.includes('#')) return markdown;
  const text = markdown.replace(/\r\n?/g, '\n');
  const kinds = lineKinds(text);
  return text
    .split('\n')
    .map((line, index) =>
      kinds[index] === 'text' && /^ {0,3}#{1,6}\s/.test(line) ? `**${line.replace(/^[\s#]+|[\s#]+$/g, '')}**` : line,
    )
    .join('\n');
}

export function schemaLines(schema: unknown): readonly string[] {
  const lines: string[] = [];
  const type = schemaType(schema);
  if (type !== '' && type !== '`object`') lines.push(`Type: ${type}`, '');
  pushProperties(schema, 0, lines);
  return lines;
}

/** `Pet`, `array of Pet`, `one of Cat, Dog`, `string (date-time)`, with its values if they are listed. */
function schemaType(schema: unknown, depth = 0): string {
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

/** `name` (type, required): description, on one line. */
function fieldLine(
  name: string,
  schema: unknown,
  isRequired: boolean,
  rawDescription = textOf(schema, 'description'),
): string {
  const fallback = fieldOf(schema, 'default');
  const notes = [
    schemaType(schema),
    isRequired ? 'required' : '',
    fieldOf(schema, 'deprecated') === true ? 'deprecated' : '',
    fallback === undefined ? '' : `default \`${JSON.stringify(fallback)}\``,
  ].filter((note) => note !== '');
  const description = rawDescription.replace(/\s+/g, ' ');
  return `\`${name}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${description === '' ? '' : `: ${description}`}`;
}
