// Adds an entry to a JSON file of another program, or removes it. Every other byte stays: comments, order, indentation.
// Comments and trailing commas are accepted, since some assistants accept them.

import { lineEnding, MalformedText, type EntryPath, type Removals } from './malformed-text.ts';

interface JsonNode {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Null if it is not an object. */
  readonly fields: readonly JsonField[] | null;
}

interface JsonField {
  readonly name: string;
  readonly from: number;
  readonly value: JsonNode;
  /** Position of the comma after the value; null if there is none. */
  readonly comma: number | null;
}

/** `text` with `"key": { "name": value }` in its root object. Raises MalformedText. */
export function withJsonEntry(text: string, [key, name]: EntryPath, value: object): string {
  if (text.trim() === '') return `${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  const format = (content: object, depth: number): string =>
    JSON.stringify(content, null, 2).replaceAll('\n', `${lineEnding(text)}${'  '.repeat(depth)}`);
  const root = parseRoot(text);
  const group = findField(root, key)?.value;
  if (group === undefined) return insertField(text, root, `"${key}": ${format({ [name]: value }, 1)}`, 1);
  if (group.fields === null) throw new MalformedText(text, group.from, `"${key}" is not an object`);
  const own = findField(group, name)?.value;
  if (own === undefined) return insertField(text, group, `"${name}": ${format(value, 2)}`, 2);
  return text.slice(0, own.from) + format(value, 2) + text.slice(own.to);
}

/** Raises MalformedText. */
export function withoutJsonEntry(text: string, [key, name]: EntryPath): Removals {
  const root = text.trim() === '' ? null : parseRoot(text);
  const group = root === null ? undefined : findField(root, key)?.value;
  if (root === null || group === undefined || findField(group, name) === undefined) return { ofEntry: [], ofGroup: [] };
  return {
    ofEntry: removeField(text, group, name),
    ofGroup: group.fields?.length === 1 ? removeField(text, root, key) : [],
  };
}

/** If two fields have one name, readers use the last. */
function findField({ fields }: JsonNode, name: string): JsonField | undefined {
  return fields?.findLast((field) => field.name === name);
}

function insertField(text: string, { from, to, fields }: JsonNode, field: string, depth: number): string {
  const eol = lineEnding(text);
  const head = `${text.slice(0, from + 1)}${eol}${'  '.repeat(depth)}${field}`;
  if (fields?.length !== 0) return `${head},${text.slice(from + 1)}`;
  return to - from === 2
    ? `${head}${eol}${'  '.repeat(depth - 1)}${text.slice(from + 1)}`
    : head + text.slice(from + 1);
}

function removeField(text: string, node: JsonNode, name: string): readonly string[] {
  const fields = node.fields ?? [];
  const index = fields.findLastIndex((field) => field.name === name);
  const field = fields[index];
  if (field === undefined) return [];
  const end = field.comma === null ? field.value.to : field.comma + 1;
  const comma = field.comma === null ? fields[index - 1]?.comma : null;
  const start = blankBefore(text, field.from);
  const head = text.slice(0, start);
  const before = comma === null || comma === undefined ? head : head.slice(0, comma) + head.slice(comma + 1);
  const after = text.slice(end);
  const isAlone = fields.length === 1 && text.slice(node.from + 1, start).trim() === '';
  return (isAlone ? [before + after.trimStart(), before + after] : [before + after]).filter(isJsonObject);
}

function isJsonObject(text: string): boolean {
  try {
    parseRoot(text);
    return true;
  } catch {
    return false;
  }
}

/** Where the blanks before a field begin. The end of a line stays, because a comment may be on it. */
function blankBefore(text: string, at: number): number {
  const start = text.slice(0, at).trimEnd().length;
  if (text[start - 1] === '{' || text[start - 1] === ',') return start;
  const lineEnd = text.indexOf('\n', start);
  return lineEnd === -1 || lineEnd >= at ? start : lineEnd + 1;
}

function parseRoot(text: string): JsonNode {
  const cursor = { text, at: 0 };
  const root = parseValue(cursor, 0);
  skipBlanks(cursor);
  if (cursor.at < text.length) throw malformed(cursor, 'there is text after the end of the object');
  if (root.fields === null) throw new MalformedText(text, root.from, 'it is not an object');
  return root;
}

interface Cursor {
  readonly text: string;
  at: number;
}

const MAX_DEPTH = 500;

function parseValue(cursor: Cursor, depth: number): JsonNode {
  skipBlanks(cursor);
  const from = cursor.at;
  const mark = cursor.text[from];
  if (depth > MAX_DEPTH) throw malformed(cursor, 'it is nested too deeply');
  if (mark === '{') return { from, fields: parseFields(cursor, depth), to: cursor.at };
  if (mark === '[') parseItems(cursor, depth);
  else if (mark === '"') parseString(cursor);
  else parseScalar(cursor);
  return { from, fields: null, to: cursor.at };
}

function parseFields(cursor: Cursor, depth: number): JsonField[] {
  const fields: JsonField[] = [];
  cursor.at += 1;
  for (skipBlanks(cursor); !skipMark(cursor, '}'); skipBlanks(cursor)) {
    const from = cursor.at;
    if (cursor.text[from] !== '"') throw malformed(cursor, 'a name in double quotes or } is missing');
    const name = parseString(cursor);
    skipBlanks(cursor);
    if (!skipMark(cursor, ':')) throw malformed(cursor, `: is missing after "${name}"`);
    const value = parseValue(cursor, depth + 1);
    skipBlanks(cursor);
    const comma = cursor.text[cursor.at] === ',' ? cursor.at : null;
    fields.push({ name, from, value, comma });
    if (!skipMark(cursor, ',') && cursor.text[cursor.at] !== '}') throw malformed(cursor, ', or } is missing');
  }
  return fields;
}

function parseItems(cursor: Cursor, depth: number): void {
  cursor.at += 1;
  for (skipBlanks(cursor); !skipMark(cursor, ']'); skipBlanks(cursor)) {
    parseValue(cursor, depth + 1);
    skipBlanks(cursor);
    if (!skipMark(cursor, ',') && cursor.text[cursor.at] !== ']') throw malformed(cursor, ', or ] is missing');
  }
}

function parseString(cursor: Cursor): string {
  const { text, at } = cursor;
  let end = at + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
  try {
    const value = JSON.parse(text.slice(at, end + 1)) as string;
    cursor.at = end + 1;
    return value;
  } catch {
    throw malformed(cursor, 'a string is not valid');
  }
}

const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function parseScalar(cursor: Cursor): void {
  SCALAR.lastIndex = cursor.at;
  const [found = ''] = SCALAR.exec(cursor.text) ?? [];
  if (found === '') throw malformed(cursor, 'a value is missing');
  cursor.at += found.length;
}

function skipMark(cursor: Cursor, mark: string): boolean {
  const exists = cursor.text[cursor.at] === mark;
  if (exists) cursor.at += 1;
  return exists;
}

const BLANKS = /[\s\uFEFF]*/y;

/** Blanks and comments. */
function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    BLANKS.lastIndex = cursor.at;
    cursor.at += BLANKS.exec(text)?.[0].length ?? 0;
    if (text.startsWith('//', cursor.at)) {
      const end = text.indexOf('\n', cursor.at);
      cursor.at = end === -1 ? text.length : end;
    } else if (text.startsWith('/*', cursor.at)) {
      const end = text.indexOf('*/', cursor.at + 2);
      if (end === -1) throw malformed(cursor, 'a comment has no end');
      cursor.at = end + 2;
    } else return;
  }
}

function malformed({ text, at }: Cursor, why: string): MalformedText {
  return new MalformedText(text, at, at >= text.length ? `the file ends too early: ${why}` : why);
}
