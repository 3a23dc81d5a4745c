// Splits the text of a TypeScript declaration file into tokens, in linear time. Declarations have no regular expressions and no
// operators that look like type arguments, so brackets can be paired without a grammar.

/** Parallel arrays: a file of 5 MB has a million tokens. */
export interface DeclarationTokens {
  readonly text: string;
  readonly count: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Index of the bracket that closes the one at this index; the index itself for any other token. */
  readonly closes: readonly number[];
  /** Start and end of the doc comment directly before a token, by its index. */
  readonly docs: ReadonlyMap<number, { readonly start: number; readonly end: number }>;
  /** Texts of `/// <reference … />` comments. */
  readonly references: readonly string[];
  is(index: number, value: string): boolean;
  value(index: number): string;
  isWord(index: number): boolean;
  isString(index: number): boolean;
  /** Whether a line ends between the token before this one and this one. */
  beginsLine(index: number): boolean;
}

const WORD = /[\p{ID_Continue}$#\u200c\u200d]+/uy;
const OPENING = '([{';
const CLOSING = ')]}';
const OPERATORS = ['=>', '...'];
const MAX_REFERENCES = 10_000;

interface Scan {
  readonly text: string;
  readonly starts: number[];
  readonly ends: number[];
  readonly closes: number[];
  readonly docs: Map<number, { readonly start: number; readonly end: number }>;
  readonly references: string[];
  readonly open: number[];
  /** How many of each kind of bracket are open: a closing one without its partner must not search for it. */
  readonly openByKind: [number, number, number];
}

export function tokenizeDeclarations(text: string): DeclarationTokens {
  const scan: Scan = {
    text,
    starts: [],
    ends: [],
    closes: [],
    docs: new Map(),
    references: [],
    open: [],
    openByKind: [0, 0, 0],
  };
  let at = 0;
  while (at < text.length) at = scanToken(scan, at);
  const { starts, ends, closes, docs, references } = scan;
  for (const unclosed of scan.open) closes[unclosed] = starts.length - 1;
  const value = (index: number): string => text.slice(starts[index] ?? 0, ends[index] ?? 0);
  const first = (index: number): string => text.charAt(starts[index] ?? text.length);
  return {
    text,
    count: starts.length,
    starts,
    ends,
    closes,
    docs,
    references,
    value,
    is: (index, expected) =>
      text.startsWith(expected, starts[index] ?? text.length) && ends[index] === (starts[index] ?? 0) + expected.length,
    isWord: (index) => /[\p{ID_Start}$_#]/u.test(first(index)),
    isString: (index) => /["'`]/.test(first(index)),
    beginsLine: (index) => index === 0 || text.slice(ends[index - 1] ?? 0, starts[index] ?? 0).includes('\n'),
  };
}

/** Scans the token, comment or white space at an offset; returns the offset after it. */
function scanToken(scan: Scan, at: number): number {
  const { text } = scan;
  const char = text.charCodeAt(at);
  if (char <= 0x20 || char === 0xfeff || char === 0xa0) return at + 1;
  const first = text[at] ?? '';
  if (text.startsWith('//', at)) return scanLineComment(scan, at);
  if (text.startsWith('/*', at)) return scanBlockComment(scan, at);
  push(scan, at, tokenEnd(text, at, first));
  pairBracket(scan, first);
  return scan.ends.at(-1) ?? at + 1;
}

function tokenEnd(text: string, at: number, first: string): number {
  if (first === '"' || first === "'") return stringEnd(text, at, first);
  if (first === '`') return templateEnd(text, at);
  WORD.lastIndex = at;
  if (WORD.test(text)) return WORD.lastIndex;
  const operator = OPERATORS.find((known) => text.startsWith(known, at));
  if (operator !== undefined) return at + operator.length;
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

function push(scan: Scan, start: number, end: number): void {
  scan.closes.push(scan.starts.length);
  scan.starts.push(start);
  scan.ends.push(end);
}

/** A closing bracket without its opening one is skipped; one that closes an outer bracket closes the inner ones too. */
function pairBracket({ text, starts, closes, open, openByKind }: Scan, char: string): void {
  const index = starts.length - 1;
  const opened = OPENING.indexOf(char);
  if (opened !== -1) {
    open.push(index);
    openByKind[opened] = (openByKind[opened] ?? 0) + 1;
  }
  const closed = CLOSING.indexOf(char);
  if (closed === -1 || openByKind[closed] === 0) return;
  for (;;) {
    const partner = open.pop();
    if (partner === undefined) return;
    closes[partner] = index;
    const kind = OPENING.indexOf(text.charAt(starts[partner] ?? 0));
    openByKind[kind] = (openByKind[kind] ?? 0) - 1;
    if (kind === closed) return;
  }
}

function scanLineComment(scan: Scan, at: number): number {
  const newline = scan.text.indexOf('\n', at);
  const end = newline === -1 ? scan.text.length : newline;
  const isReference = scan.text.startsWith('///', at) && scan.references.length < MAX_REFERENCES;
  if (isReference) scan.references.push(scan.text.slice(at + 3, Math.min(end, at + 1000)).trim());
  return end;
}

function scanBlockComment(scan: Scan, at: number): number {
  const closing = scan.text.indexOf('*/', at + 2);
  const end = closing === -1 ? scan.text.length : closing + 2;
  const isDoc = scan.text.startsWith('/**', at) && end - at > 4;
  if (isDoc) scan.docs.set(scan.starts.length, { start: at, end });
  return end;
}

function stringEnd(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === quote) return at + 1;
    else if (char === '\n') return at;
  }
  return text.length;
}

/** The end of a template literal type; types inside it may have strings and templates again. */
function templateEnd(text: string, start: number): number {
  const open: Array<'template' | 'type'> = ['template'];
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\') at += 1;
    else if (open.at(-1) === 'type') at = insideType(text, at, open);
    else if (char === '`') open.pop();
    else if (text.startsWith('${', at)) {
      open.push('type');
      at += 1;
    }
    if (open.length === 0) return at + 1;
  }
  return text.length;
}

/** Goes on inside `${…}`; returns the last offset of what is there. */
function insideType(text: string, at: number, open: Array<'template' | 'type'>): number {
  const char = text[at] ?? '';
  if (char === '`') open.push('template');
  else if (char === '{') open.push('type');
  else if (char === '}') open.pop();
  return char === '"' || char === "'" ? stringEnd(text, at, char) - 1 : at;
}
