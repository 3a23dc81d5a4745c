// Reads one HTML or JSX tag inside Markdown. JSX attributes may hold braces with anything in them, so the end of a tag
// is looked for with quotes and braces in mind, within a fixed distance.

export interface MarkupTag {
  /** As written: `Card`, `Tabs.Item`, `div`. */
  readonly name: string;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
  /** Plain string attributes, names in lower case. Expressions are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Past the `>`. */
  readonly end: number;
}

const MAX_TAG = 100_000;
const NAME = /<(\/?)([A-Za-z][\w.-]*)(?=[\s/>{])|<(\/?)>/y;

/** The tag at `at`; a number where none ends before that position, so that nobody scans the same stretch again. */
export function readTag(text: string, at: number): MarkupTag | number | null {
  NAME.lastIndex = at;
  const start = NAME.exec(text);
  if (start === null) return null;
  const from = at + start[0].length;
  const end = start[2] === undefined ? from : tagEnd(text, from);
  if (end < 0) return -end;
  const inside = text.slice(from, end - 1);
  return {
    name: start[2] ?? '',
    isClosing: (start[1] ?? start[3]) === '/',
    isSelfClosing: inside.endsWith('/'),
    attributes: attributesOf(inside),
    end,
  };
}

/** Past the `>`, or the negated position where the search was given up. */
function tagEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_TAG);
  let depth = 0;
  let at = from;
  while (at < limit) {
    const letter = text[at];
    if (letter === '>' && depth === 0) return at + 1;
    if (letter === '<' && depth === 0) return -at;
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (depth < 0) return -at;
    at = isQuote(letter, text[at - 1], depth) ? pastQuote(text, at, limit) : at + 1;
  }
  return -limit;
}

/** Outside braces a quote counts where a value begins; an apostrophe in prose after a stray `<` must not. */
function isQuote(letter: string | undefined, before: string | undefined, depth: number): boolean {
  if (letter === '"' || letter === "'") return depth > 0 ? true : before === '=';
  return letter === '`' && depth > 0;
}

function pastQuote(text: string, at: number, limit: number): number {
  const close = text.slice(at + 1, limit).indexOf(text[at] ?? '');
  return close === -1 ? limit : at + close + 2;
}

function attributesOf(inside: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const pattern = /([A-Za-z][\w:-]*)(?:=(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)')\s*\}|([^\s"'{}>]+)))?/g;
  for (const [, name, ...values] of withoutExpressions(inside).matchAll(pattern)) {
    const value = values.find((candidate) => candidate !== undefined) ?? '';
    const key = (name ?? '').toLowerCase();
    if (!attributes.has(key)) attributes.set(key, value);
  }
  return attributes;
}

/** Braces that hold more than one string are code; their words are no attributes. */
function withoutExpressions(inside: string): string {
  if (!inside.includes('{')) return inside;
  let kept = '';
  let from = 0;
  let depth = 0;
  for (let at = 0; at < inside.length; at += 1) {
    if (inside[at] === '{') {
      if (depth === 0) {
        kept += inside.slice(from, at);
        from = at;
      }
      depth += 1;
    } else if (inside[at] === '}') {
      depth -= 1;
      if (depth === 0) {
        const expression = inside.slice(from, at + 1);
        kept += /^\{\s*(?:"[^"]*"|'[^']*')\s*\}$/.test(expression) ? expression : '""';
        from = at + 1;
      }
    }
  }
  return kept + inside.slice(from);
}
