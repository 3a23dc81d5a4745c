// Parses one HTML or JSX tag inside Markdown. JSX attributes may contain arbitrary braces, so the search for the end of a
// tag tracks quotes and braces, within a fixed distance.

export interface MarkupTag {
  /** As written: `Card`, `Tabs.Item`, `div`. */
  readonly name: string;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
  /** Plain string attributes, names in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Attribute values that are an array or object literal, as written without the outer braces. */
  readonly literals: readonly string[];
  /** Offset after the `>`. */
  readonly end: number;
}

const MAX_TAG_CHARS = 100_000;
const NAME = /<(\/?)([A-Za-z][\w.-]*)(?=[\s/>{])|<(\/?)>/y;

/** The tag at `at`; a number if no tag ends before that offset, so that the caller need not scan the same text again. */
export function parseTag(text: string, at: number): MarkupTag | number | null {
  NAME.lastIndex = at;
  const start = NAME.exec(text);
  if (start === null) return null;
  const from = at + start[0].length;
  const end = start[2] === undefined ? from : tagEnd(text, from);
  if (end < 0) return -end;
  const inside = text.slice(from, end - 1);
  const { plain, literals } = splitExpressions(inside);
  return {
    name: start[2] ?? '',
    isClosing: (start[1] ?? start[3]) === '/',
    isSelfClosing: inside.endsWith('/'),
    attributes: attributesOf(plain),
    literals,
    end,
  };
}

/** Offset after the `>`, or the negated offset at which the search stopped. */
function tagEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_TAG_CHARS);
  let depth = 0;
  let at = from;
  while (at < limit) {
    const letter = text[at];
    if (letter === '>' && depth === 0) return at + 1;
    if (letter === '<' && depth === 0) return -at;
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (depth < 0) return -at;
    at = isQuote(letter, text[at - 1], depth) ? quoteEnd(text, at, limit) : at + 1;
  }
  return -limit;
}

/** Outside braces a quote counts only at the start of a value; an apostrophe in prose after a stray `<` does not. */
function isQuote(letter: string | undefined, before: string | undefined, depth: number): boolean {
  if (letter === '"' || letter === "'") return depth > 0 ? true : before === '=';
  return letter === '`' && depth > 0;
}

function quoteEnd(text: string, at: number, limit: number): number {
  const quote = text[at];
  for (let next = at + 1; next < limit; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === quote) return next + 1;
  }
  return limit;
}

function attributesOf(plain: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const pattern = /([A-Za-z][\w:-]*)(?:=(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^\s"'`>]+)))?/g;
  for (const [, name, ...values] of plain.matchAll(pattern)) {
    const value = values.find((candidate) => candidate !== undefined) ?? '';
    const key = (name ?? '').toLowerCase();
    if (!attributes.has(key)) attributes.set(key, value);
  }
  return attributes;
}

/** Braces contain a string, an array or object literal, or any other expression, which is replaced by `""`. */
function splitExpressions(inside: string): { readonly plain: string; readonly literals: readonly string[] } {
  const literals: string[] = [];
  const plainParts: string[] = [];
  let from = 0;
  for (let at = inside.indexOf('{'); at !== -1; at = inside.indexOf('{', from)) {
    const end = expressionEnd(inside, at);
    const expression = inside.slice(at + 1, end - 1).trim();
    plainParts.push(inside.slice(from, at));
    if (/^(?:"[^"]*"|'[^']*'|`[^`]*`)$/.test(expression)) plainParts.push(expression);
    else plainParts.push('""');
    if (/^[[{]/.test(expression)) literals.push(expression);
    from = end;
  }
  plainParts.push(inside.slice(from));
  return { plain: plainParts.join(''), literals };
}

function expressionEnd(inside: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < inside.length) {
    const letter = inside[at];
    if (letter === '{') depth += 1;
    else if (letter === '}') depth -= 1;
    at = isQuote(letter, undefined, depth) ? quoteEnd(inside, at, inside.length) : at + 1;
    if (depth === 0) return at;
  }
  return inside.length;
}
