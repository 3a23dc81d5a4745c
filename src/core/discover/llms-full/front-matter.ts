// Reads a block of `key: value` lines between two lines of dashes, without a YAML parser: only the page's address and
// title are wanted, and a block that is anything else is no front matter.

export interface FrontMatter {
  readonly url: string | null;
  /** The key that named the address, as written. */
  readonly urlKey: string | null;
  readonly title: string | null;
  /** Index of the line after the block. */
  readonly end: number;
}

const MAX_LINES = 60;
const DASHES = /^-{3,}\s*$/;
const URL_KEY = /^(?:url|source|source_url|sourceurl|canonical|canonical_url|permalink|link|href|html)$/i;

export function isRule(line: string | undefined): boolean {
  return line !== undefined && DASHES.test(line);
}

/** `start` is the line of the opening dashes. */
export function frontMatterAt(lines: readonly string[], start: number): FrontMatter | null {
  if (!isRule(lines[start])) return null;
  const found: Found = { url: null, urlKey: null, title: null };
  for (let at = start + 1; at < lines.length && at - start <= MAX_LINES; at += 1) {
    const line = lines[at] ?? '';
    if (isRule(line)) return at === start + 1 ? null : { ...found, end: at + 1 };
    const pair = /^\s*(?:- )?([A-Za-z][\w-]{0,40}):(?:\s+(.*))?$/.exec(line);
    if (pair !== null) takePair(found, pair[1] ?? '', unquoted(pair[2] ?? ''));
    // Lists, folded texts and comments continue a value; a blank or other line means that this is prose.
    else if (!/^(?:\s+\S|-\s|#)/.test(line)) return null;
  }
  return null;
}

interface Found {
  url: string | null;
  urlKey: string | null;
  title: string | null;
}

function takePair(found: Found, key: string, value: string): void {
  if (found.url === null && URL_KEY.test(key) && isAddress(value)) {
    found.url = value;
    found.urlKey = key;
  }
  if (found.title === null && value !== '' && /^title$/i.test(key)) found.title = value;
}

export function isAddress(text: string): boolean {
  return /^(?:https?:\/\/\S+|\/(?!\/)\S*)$/.test(text);
}

export function unquoted(value: string): string {
  const text = value.trim();
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : text;
}
