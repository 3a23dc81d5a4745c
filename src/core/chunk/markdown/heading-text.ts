// The plain text of a Markdown heading, its explicit anchor, and the symbol that it names.

import { splitHeadingAttributes } from '../../markdown/heading-attributes.ts';

const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/g;
const MAX_CHARS = 500;

export interface HeadingText {
  readonly text: string;
  /** From `## Title {#anchor}`; null if there is none. */
  readonly anchor: string | null;
  readonly symbol: string | null;
}

/** `source` is the heading's line or lines, including its markers. */
export function parseHeading(source: string): HeadingText {
  const bare = stripMarkers(source.slice(0, MAX_CHARS * 2));
  const { text: title, anchor } = splitHeadingAttributes(bare);
  const inline = title.replaceAll(LINK, '$1');
  const text = inline
    .replaceAll(/[`*]|\\(?=[^\w\s])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_CHARS);
  return { text, anchor, symbol: symbolOf(inline, text) };
}

function stripMarkers(source: string): string {
  const lines = source.trim().split('\n');
  const last = lines.at(-1)?.trim() ?? '';
  const isUnderlined = lines.length > 1 && (/^=+$/.test(last) || /^-+$/.test(last));
  const inline = (isUnderlined ? lines.slice(0, -1) : lines).join(' ').trim();
  if (isUnderlined) return inline;
  return inline
    .replace(/^#{1,6}(?=\s|$)/, '')
    .trim()
    .replace(/(^|\s)#+$/, '')
    .trim();
}

/** Inline code in a heading names a symbol if there is at most one other word: `Class: Agent`, not `Using map with arrays`. */
function symbolOf(inline: string, text: string): string | null {
  const code = /`([^`]+)`/.exec(inline)?.[1];
  if (code === undefined) return looksLikeSymbol(text) ? nameOf(text) : null;
  const otherWords = inline
    .replace(/`[^`]+`/, ' ')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
  return otherWords <= 1 ? nameOf(code) : null;
}

/** `os.path.join(path, *paths)`, `--watch`, `std::vec::Vec`, `max_connections`, `readFileSync`: one word that does not occur in prose. */
function looksLikeSymbol(text: string): boolean {
  const name = nameOf(text);
  if (name === null || /\s/.test(name)) return false;
  const hasCall = text.length > name.length && text.charAt(name.length) === '(';
  if (name.length !== text.length && !hasCall) return false;
  return hasCall || /^--?[a-z]/.test(name) || /[a-z][A-Z]|_|::|[A-Za-z]\.[A-Za-z_]/.test(name);
}

/** The part before parameters, types and values. */
function nameOf(code: string): string | null {
  const name = code.trim().split(/[\s(<=[{,]/, 1)[0] ?? '';
  return /^[-@$.#]*[\w\u00c0-\uffff]/.test(name) && name.length <= 200 ? name.replace(/[:;,]+$/, '') : null;
}
