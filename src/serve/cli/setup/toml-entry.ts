// Adds an entry to a TOML file of another program, or removes it. Every other line stays.

import { lineEnding, MalformedText, type EntryPath, type Removals } from './malformed-text.ts';

interface Statement {
  readonly kind: 'table' | 'array-table' | 'pair';
  /** With the names of its table. */
  readonly path: readonly string[];
  readonly from: number;
  /** After the end of its last line. */
  readonly to: number;
}

/** `text` with the table `[key.name]`: replaced if it exists, otherwise appended. Raises MalformedText. */
export function withTomlEntry(text: string, path: EntryPath, value: Readonly<Record<string, unknown>>): string {
  const eol = lineEnding(text);
  const { env, ...fields } = value;
  const lines = [
    `[${path.join('.')}]`,
    ...Object.entries(fields).map(([field, one]) => `${field} = ${JSON.stringify(one)}`),
    ...(env === undefined ? [] : [`env = { ${inline(env as Readonly<Record<string, string>>)} }`]),
  ];
  const table = lines.map((line) => line + eol).join('');
  const own = ownRanges(text, path);
  if (own.length === 0) {
    const end = text === '' || text.endsWith('\n') ? '' : eol;
    return text + end + (text.trim() === '' ? '' : eol) + table;
  }
  const [{ from } = { from: 0 }] = own;
  return cut(text.slice(0, from), own) + table + cut(text.slice(from), own, from);
}

/** Raises MalformedText. */
export function withoutTomlEntry(text: string, path: EntryPath): Removals {
  const own = ownRanges(text, path);
  if (own.length === 0) return { ofEntry: [], ofGroup: [] };
  const bare = cut(text, own);
  const [{ from } = { from: 0 }] = own;
  const blank = /\r?\n$/.exec(bare.slice(0, from))?.[0] ?? '';
  const tidy = bare.slice(0, from - blank.length) + bare.slice(from);
  const isBlankLine = blank !== '' && /(?:^|\n)$/.test(bare.slice(0, from - blank.length));
  const tight = tidy.replace(/\r?\n$/, '');
  return { ofEntry: isBlankLine ? [tidy, bare, tight] : [bare, tidy], ofGroup: [] };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** `offset` is the position of `text` in the text that the ranges are of. */
function cut(text: string, ranges: readonly Range[], offset = 0): string {
  let retained = '';
  let at = offset;
  for (const { from, to } of ranges) {
    if (from < at || from >= offset + text.length) continue;
    retained += text.slice(at - offset, from - offset);
    at = to;
  }
  return retained + text.slice(at - offset);
}

/** Tables and pairs of the entry. A table ends with its last pair, so that a comment before the next table stays. */
function ownRanges(text: string, [key, name]: EntryPath): readonly Range[] {
  const ranges: Array<{ from: number; to: number }> = [];
  let isInOwnTable = false;
  for (const { kind, path, from, to } of parseStatements(text)) {
    const isGroup = path.length === 1 && path[0] === key;
    if (isGroup && kind !== 'table') throw new MalformedText(text, from, `${key} is not written as tables`);
    const isOwn = path[0] === key && path[1] === name;
    const last = ranges.at(-1);
    if (kind === 'pair' && isInOwnTable && last !== undefined) last.to = to;
    else if (isOwn) ranges.push({ from, to });
    if (kind !== 'pair') isInOwnTable = isOwn;
  }
  return ranges;
}

function inline(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ');
}

interface Cursor {
  readonly text: string;
  at: number;
}

function parseStatements(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  const cursor = { text, at: text.startsWith('\uFEFF') ? 1 : 0 };
  let table: readonly string[] = [];
  for (read(cursor, BLANK_LINES); cursor.at < text.length; read(cursor, BLANK_LINES)) {
    const from = text.lastIndexOf('\n', cursor.at - 1) + 1;
    const [open = ''] = read(cursor, /\[\[?/y) ?? [];
    const path = parseKeys(cursor);
    if (open === '') {
      parseAssigned(cursor, 0);
    } else {
      table = path;
      demand(cursor, open === '[' ? /[ \t]*\]/y : /[ \t]*\]\]/y, '] is missing');
    }
    demand(cursor, LINE_REST, 'there is text after the value');
    const kind = open === '' ? 'pair' : open === '[' ? 'table' : 'array-table';
    statements.push({ kind, path: open === '' ? [...table, ...path] : path, from, to: cursor.at });
  }
  return statements;
}

const BLANK_LINES = /(?:[ \t\r\n]|#[^\n]*)*/y;
const LINE_REST = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'/y;
const MULTILINE_STRING = /"""(?:[^"\\]|\\[^]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}/y;
const SCALAR = /true|false|[+-]?(?:inf|nan|\d[\w.:+-]*(?: \d[\w.:+-]*)?)/y;

/** `a."b c".d`. */
function parseKeys(cursor: Cursor): string[] {
  const keys: string[] = [];
  do {
    read(cursor, /[ \t]*/y);
    const [bare] = read(cursor, /[\w-]+/y) ?? [];
    const [quoted] = bare === undefined ? (read(cursor, STRING) ?? []) : [];
    if (bare === undefined && quoted === undefined) throw malformed(cursor, 'a name is missing');
    keys.push(bare ?? (quoted ?? '').slice(1, -1));
  } while (read(cursor, /[ \t]*\./y) !== null);
  return keys;
}

const MAX_DEPTH = 200;

function parseAssigned(cursor: Cursor, depth: number): void {
  demand(cursor, /[ \t]*=/y, '= is missing');
  parseValue(cursor, depth);
}

function parseValue(cursor: Cursor, depth: number): void {
  read(cursor, /[ \t]*/y);
  if (depth > MAX_DEPTH) throw malformed(cursor, 'it is nested too deeply');
  if (read(cursor, MULTILINE_STRING) ?? read(cursor, STRING) ?? read(cursor, SCALAR)) return;
  if (read(cursor, /\{/y) !== null) {
    parseItems(cursor, /\}/y, () => {
      parseKeys(cursor);
      parseAssigned(cursor, depth + 1);
    });
  } else {
    demand(cursor, /\[/y, 'a value is missing');
    parseItems(cursor, /\]/y, () => parseValue(cursor, depth + 1));
  }
}

function parseItems(cursor: Cursor, close: RegExp, parseItem: () => void): void {
  for (read(cursor, BLANK_LINES); read(cursor, close) === null; read(cursor, BLANK_LINES)) {
    parseItem();
    read(cursor, BLANK_LINES);
    if (!isNext(cursor, close)) demand(cursor, /,/y, ', is missing');
  }
}

function isNext({ text, at }: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Null, and no move, if the sticky pattern does not match here. */
function read(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found !== null) cursor.at += found[0].length;
  return found;
}

function demand(cursor: Cursor, pattern: RegExp, why: string): void {
  if (read(cursor, pattern) === null) throw malformed(cursor, why);
}

function malformed({ text, at }: Cursor, why: string): MalformedText {
  return new MalformedText(text, at, at >= text.length ? `the file ends too early: ${why}` : why);
}
