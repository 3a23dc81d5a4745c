// Parses the TOML of lockfiles and manifests: tables, arrays of tables, dotted keys, strings of all four kinds, arrays and inline tables.
// Numbers, booleans and dates are kept as text. Linear in the length of the text, and bounded in depth.

const MAX_DEPTH = 50;
const MAX_VALUES = 2_000_000;

interface TomlTable {
  [key: string]: TomlValue;
}
type TomlValue = string | TomlValue[] | TomlTable;

interface Cursor {
  readonly text: string;
  at: number;
  values: number;
}

class MalformedToml extends Error {}

/** Undefined for text that is not TOML, or exceeds a limit. */
export function parseToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseDocument({ text, at: 0, values: 0 });
  } catch (error) {
    if (error instanceof MalformedToml) return undefined;
    throw error;
  }
}

function parseDocument(cursor: Cursor): TomlTable {
  const root = emptyTable();
  let table = root;
  for (;;) {
    skipBlank(cursor, true);
    const char = cursor.text[cursor.at];
    if (char === undefined) return root;
    if (char === '[') table = openTable(root, cursor);
    else readPair(table, cursor, 0);
    skipBlank(cursor, false);
    const end = cursor.text[cursor.at];
    if (end !== undefined && end !== '\n') throw new MalformedToml();
  }
}

/** Without a prototype: `__proto__` is an ordinary key. */
function emptyTable(): TomlTable {
  return Object.create(null) as TomlTable;
}

function openTable(root: TomlTable, cursor: Cursor): TomlTable {
  const isArray = cursor.text.startsWith('[[', cursor.at);
  cursor.at += isArray ? 2 : 1;
  const path = readKey(cursor);
  expect(cursor, isArray ? ']]' : ']');
  const last = path.pop() ?? '';
  const parent = descend(root, path);
  if (!isArray) return descend(parent, [last]);
  const list = parent[last] ?? [];
  if (!Array.isArray(list)) throw new MalformedToml();
  const table = emptyTable();
  parent[last] = list;
  list.push(table);
  return table;
}

/** The table at a path, created where it is missing; of an array of tables the last one. */
function descend(from: TomlTable, path: readonly string[]): TomlTable {
  let table = from;
  for (const key of path) {
    const value = (table[key] ??= emptyTable());
    const next = Array.isArray(value) ? value.at(-1) : value;
    if (typeof next !== 'object' || Array.isArray(next)) throw new MalformedToml();
    table = next;
  }
  return table;
}

function readPair(table: TomlTable, cursor: Cursor, depth: number): void {
  const path = readKey(cursor);
  expect(cursor, '=');
  skipBlank(cursor, false);
  const last = path.pop() ?? '';
  descend(table, path)[last] = readValue(cursor, depth);
}

function readKey(cursor: Cursor): string[] {
  const path: string[] = [];
  do {
    skipBlank(cursor, false);
    const char = cursor.text[cursor.at];
    if (char === '"' || char === "'") path.push(readString(cursor));
    else path.push(readBare(cursor, /[\w-]+/y));
    skipBlank(cursor, false);
  } while (path.length < MAX_DEPTH && accept(cursor, '.'));
  return path;
}

function readValue(cursor: Cursor, depth: number): TomlValue {
  cursor.values += 1;
  if (depth > MAX_DEPTH || cursor.values > MAX_VALUES) throw new MalformedToml();
  switch (cursor.text.charAt(cursor.at)) {
    case '"':
    case "'":
      return readString(cursor);
    case '[':
      return readArray(cursor, depth);
    case '{':
      return readInlineTable(cursor, depth);
    default:
      return readBare(cursor, /[\w.:+-]+(?: \d\d:[\w.:+-]+)?/y);
  }
}

function readArray(cursor: Cursor, depth: number): TomlValue[] {
  const list: TomlValue[] = [];
  cursor.at += 1;
  for (;;) {
    skipBlank(cursor, true);
    if (accept(cursor, ']')) return list;
    list.push(readValue(cursor, depth + 1));
    skipBlank(cursor, true);
    if (!accept(cursor, ',') && cursor.text[cursor.at] !== ']') throw new MalformedToml();
  }
}

function readInlineTable(cursor: Cursor, depth: number): TomlTable {
  const table = emptyTable();
  cursor.at += 1;
  for (;;) {
    skipBlank(cursor, true);
    if (accept(cursor, '}')) return table;
    readPair(table, cursor, depth + 1);
    skipBlank(cursor, true);
    if (!accept(cursor, ',') && cursor.text[cursor.at] !== '}') throw new MalformedToml();
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
};

function readString(cursor: Cursor): string {
  const { text } = cursor;
  const quote = text[cursor.at] ?? '';
  const isLong = text.startsWith(quote.repeat(3), cursor.at);
  const mark = isLong ? quote.repeat(3) : quote;
  const from = cursor.at + mark.length;
  const end = stringEnd(text, from, mark);
  cursor.at = end + mark.length;
  const raw = text.slice(from, end);
  const body = isLong ? raw.replace(/^\r?\n/, '') : raw;
  return quote === '"' ? unescape(body) : body;
}

/** The position of the closing mark. A long string may have one or two quotation marks before it. */
function stringEnd(text: string, from: number, mark: string): number {
  const escapes = mark.startsWith('"');
  let at = from;
  while (!text.startsWith(mark, at)) {
    const char = text[at];
    if (char === undefined || (char === '\n' && mark.length === 1)) throw new MalformedToml();
    at += char === '\\' && escapes ? 2 : 1;
  }
  if (mark.length === 3) while (text.startsWith(mark, at + 1)) at += 1;
  return at;
}

const ESCAPE = /\\(?:u[\da-f]{4}|U[\da-f]{8}|[ \t\r]*\n\s*|.)/gis;

function unescape(body: string): string {
  return body.replaceAll(ESCAPE, (escape) => {
    const digits = /^\\[uU]([\da-f]{4,8})$/i.exec(escape)?.[1];
    // A line end after a backslash, with the white space around it, is dropped.
    if (digits === undefined) return escape.includes('\n') ? '' : (ESCAPES[escape.slice(1)] ?? '');
    const point = Number.parseInt(digits, 16);
    return point > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(point);
  });
}

function readBare(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match === null) throw new MalformedToml();
  cursor.at = pattern.lastIndex;
  return match[0];
}

function accept(cursor: Cursor, token: string): boolean {
  if (!cursor.text.startsWith(token, cursor.at)) return false;
  cursor.at += token.length;
  return true;
}

function expect(cursor: Cursor, token: string): void {
  if (!accept(cursor, token)) throw new MalformedToml();
}

/** Skips spaces and comments, and line ends if `lines`. */
function skipBlank(cursor: Cursor, lines: boolean): void {
  const { text } = cursor;
  for (;;) {
    const char = text[cursor.at];
    if (
      char === ' ' ||
      char === '\t' ||
      char === '\r' ||
      (lines && char === '\n') ||
      (char === '\uFEFF' && cursor.at === 0)
    ) {
      cursor.at += 1;
    } else if (char === '#') {
      const end = text.indexOf('\n', cursor.at);
      cursor.at = end === -1 ? text.length : end;
    } else {
      return;
    }
  }
}
