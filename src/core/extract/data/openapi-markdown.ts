// One operation of an API as a Markdown section: what it does, what it takes, what it answers.

import { dereferenced, fieldOf, isRecord, listOf, textOf, type JsonRecord } from './json-fields.ts';
import { scanLines } from '../markdown/scan-lines.ts';
import { fieldLine, schemaLines, schemaType } from '../openapi-schema.ts';

export interface Operation {
  /** `GET /pets/{id}`. */
  readonly heading: string;
  readonly operation: JsonRecord;
  readonly pathItem: unknown;
  /** The whole description, for references to its parameters, bodies and answers. */
  readonly api: unknown;
}

export function operationSection({ heading, operation, pathItem, api }: Operation): string {
  const found = (value: unknown): unknown => dereferenced(api, value);
  const parameters = [...listOf(pathItem, 'parameters'), ...listOf(operation, 'parameters')].map(found);
  const responses = fieldOf(operation, 'responses');
  const parts = [
    `## ${heading}`,
    textOf(operation, 'summary') || textOf(pathItem, 'summary'),
    demotedHeadings(textOf(operation, 'description') || textOf(pathItem, 'description')),
    facts(operation).join('\n'),
    section('Parameters', parameters.map(parameterLine)),
    body(found(fieldOf(operation, 'requestBody'))),
    section('Responses', isRecord(responses) ? responseLines(Object.entries(responses), found) : []),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function facts(operation: JsonRecord): readonly string[] {
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

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `**${title}**\n\n${lines.join('\n')}`;
}

/** Swagger keeps type and format beside the name, OpenAPI in `schema`. */
function parameterLine(parameter: unknown): string {
  const reference = textOf(parameter, '$ref');
  if (reference !== '') return `- \`${reference}\``;
  const place = textOf(parameter, 'in');
  const schema = fieldOf(parameter, 'schema') ?? parameter;
  const line = fieldLine(
    textOf(parameter, 'name'),
    schema,
    fieldOf(parameter, 'required') === true,
    textOf(parameter, 'description'),
  );
  return place === '' ? `- ${line}` : `- ${line} *in ${place}*`;
}

function body(requestBody: unknown): string {
  if (!isRecord(requestBody)) return '';
  const lines = contentLines(requestBody);
  const description = demotedHeadings(textOf(requestBody, 'description'));
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
  found: (value: unknown) => unknown,
): readonly string[] {
  return responses.flatMap(([status, given]) => {
    const response = found(given);
    const description = textOf(response, 'description').replace(/\s+/g, ' ');
    const legacy = schemaType(fieldOf(response, 'schema'));
    const head = `- \`${status}\`${legacy === '' ? '' : ` (${legacy})`}${description === '' ? '' : `: ${description}`}`;
    return [head, ...contentLines(response).map((line) => `  ${line}`)];
  });
}

/** A heading inside a description would cut the section in two: it becomes bold text. */
export function demotedHeadings(markdown: string): string {
  if (!markdown.includes('#')) return markdown;
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n');
  const kinds = scanLines(lines);
  return lines
    .map((line, index) =>
      kinds[index] === 'text' && /^ {0,3}#{1,6}\s/.test(line) ? `**${line.replace(/^[\s#]+|[\s#]+$/g, '')}**` : line,
    )
    .join('\n');
}
