// Splits the bytes of a robots.txt into directives, as tolerant as Google's parser: any line end, comments, a partial byte
// order mark, a missing colon, common misspellings.

import { decodeUtf8 } from '../../text/decode-utf8.ts';

export type DirectiveKey =
  | 'user-agent'
  | 'allow'
  | 'disallow'
  | 'sitemap'
  | 'crawl-delay'
  | 'content-signal'
  | 'content-usage'
  | 'license'
  | 'unknown';

export interface Directive {
  readonly key: DirectiveKey;
  /** One octet per character: robots.txt has no encoding until a value is used. */
  readonly value: string;
  /** 1-based. */
  readonly line: number;
}

export interface RobotsLines {
  readonly directives: readonly Directive[];
  /** Whether the file was longer than the limit. */
  readonly truncated: boolean;
}

/** RFC 9309 §2.5 asks for at least 500 KiB. */
export const ROBOTS_MAX_BYTES = 512_000;

/** Longer lines are truncated, and the truncated rule applies, as in Google's parser. */
const MAX_LINE_BYTES = 2083 * 8 - 1;

/** Keys match by prefix, so `disallowed` counts as disallow: too much obedience does no harm. */
const KEYS: ReadonlyArray<readonly [DirectiveKey, readonly string[]]> = [
  ['user-agent', ['user-agent', 'useragent', 'user agent']],
  ['allow', ['allow']],
  ['disallow', ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']],
  ['sitemap', ['sitemap', 'site-map']],
  ['crawl-delay', ['crawl-delay', 'crawldelay']],
  ['content-signal', ['content-signal']],
  ['content-usage', ['content-usage']],
  ['license', ['license', 'licence']],
];

export function parseRobotsLines(file: Uint8Array): RobotsLines {
  const whole = toUtf8(file);
  const truncated = whole.length > ROBOTS_MAX_BYTES;
  const octets = truncated ? whole.subarray(0, ROBOTS_MAX_BYTES) : whole;
  const directives: Directive[] = [];
  let start = bomLength(octets);
  let line = 0;
  for (let at = start; at <= octets.length; at += 1) {
    const octet = octets[at];
    if (at < octets.length && octet !== 0x0a && octet !== 0x0d) continue;
    line += 1;
    // The last line of a truncated file may be half a rule.
    const read = at === octets.length && truncated ? null : parseLine(octets.subarray(start, at), line);
    if (read !== null) directives.push(read);
    if (octet === 0x0d && octets[at + 1] === 0x0a) at += 1;
    start = at + 1;
  }
  return { directives, truncated };
}

/** Some editors save UTF-16: such a file is converted to UTF-8. */
function toUtf8(file: Uint8Array): Uint8Array {
  const [first, second] = file;
  const little = first === 0xff && second === 0xfe;
  if (!little && !(first === 0xfe && second === 0xff)) return file;
  const head = file.subarray(2, 2 + 2 * ROBOTS_MAX_BYTES + 2);
  return new TextEncoder().encode(new TextDecoder(little ? 'utf-16le' : 'utf-16be').decode(head));
}

/** Length of the part of a UTF-8 byte order mark that the file starts with. */
function bomLength(octets: Uint8Array): number {
  const mark = [0xef, 0xbb, 0xbf];
  let length = 0;
  while (length < mark.length && octets[length] === mark[length]) length += 1;
  return length;
}

function parseLine(octets: Uint8Array, line: number): Directive | null {
  const cut = octets.subarray(0, MAX_LINE_BYTES);
  const hash = cut.indexOf(0x23);
  const text = trimBlanks(binaryString(hash === -1 ? cut : cut.subarray(0, hash)));
  const colon = text.indexOf(':');
  if (colon !== -1) return directive(text.slice(0, colon), text.slice(colon + 1), line);

  // Without a colon a line counts only if it is exactly two words.
  const words = text.split(/[ \t]+/);
  return words.length === 2 ? directive(words[0] ?? '', words[1] ?? '', line) : null;
}

function directive(key: string, value: string, line: number): Directive | null {
  const name = trimBlanks(key).toLowerCase();
  if (name === '') return null;
  const match = KEYS.find(([, spellings]) => spellings.some((spelling) => name.startsWith(spelling)));
  return { key: match?.[0] ?? 'unknown', value: trimBlanks(value), line };
}

function binaryString(octets: Uint8Array): string {
  let text = '';
  for (let at = 0; at < octets.length; at += 4096) text += String.fromCharCode(...octets.subarray(at, at + 4096));
  return text;
}

/** ASCII white space only: `trim` would also take the octet 0xA0 out of a UTF-8 sequence. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** For values that are text, such as the URL of a sitemap. */
export function octetsToText(octets: string): string {
  return decodeUtf8(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));
}
