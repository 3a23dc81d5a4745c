// Recognises page markers in llms-full.txt, in any of the forms that generators write: the line or lines with which a page
// begins. A marker is only a candidate: whether it is trusted is decided over the whole file.

import { inlineLinks } from '../markdown/inline-links.ts';

export interface Marker {
  /** Its exact form, such as `h1 Source`: a generator writes all of its pages in one form. */
  readonly markerStyle: string;
  /** Forms of one family could be confused with each other. */
  readonly family: 'line' | 'front-matter' | 'wrapper' | 'heading-link';
  /** As written; null if the generator writes a title only. */
  readonly url: string | null;
  readonly title: string | null;
  /** First line of the marker, and first line after it. */
  readonly start: number;
  readonly end: number;
  /** Part of the marker that belongs to the text of the page, such as its heading. */
  readonly retained: string | null;
  /** What closes the page, for wrappers. */
  readonly closing: string | null;
}

export function markerAt(lines: readonly string[], at: number): Marker | null {
  const line = lines[at] ?? '';
  if (line.startsWith('-') || line.startsWith('=')) return ruleMarker(lines, at);
  if (line.startsWith('#')) return headingMarker(lines, at);
  if (line.startsWith('<')) return wrapperMarker(lines, at) ?? commentMarker(line, at);
  return plainMarker(lines, at);
}

/** `---` before `Source: …`, before a heading with its source, or around front matter. */
function ruleMarker(lines: readonly string[], at: number): Marker | null {
  const line = lines[at] ?? '';
  if (!isDashRule(line) && !/^={3,}\s*$/.test(line)) return null;
  const front = parseFrontMatter(lines, at);
  if (front !== null) return frontMatterMarker(front, at, lines);
  const next = lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const labeled = parseLabeledLine(lines[next]);
  if (labeled === null) return null;
  return lineMarker(`rule ${next - at} ${labeled.label}`, labeled.url, { start: at, end: next + 1 });
}

function frontMatterMarker(front: FrontMatter, at: number, lines: readonly string[]): Marker | null {
  if (front.url === null && front.title === null) return null;
  const dashes = (lines[at] ?? '').trim().length > 3 ? 'long' : 'short';
  return {
    markerStyle: front.url === null ? `front-matter ${dashes} title` : `front-matter ${dashes} ${front.urlKey}`,
    family: 'front-matter',
    url: front.url,
    title: front.title,
    start: at,
    end: front.end,
    retained: null,
    closing: null,
  };
}

function commentMarker(line: string, at: number): Marker | null {
  const inside = /^<!--\s*(\S.{0,2100}?)\s*-->\s*$/.exec(line)?.[1];
  const labeled = parseLabeledLine(inside);
  if (labeled === null) return null;
  return lineMarker(`comment ${labeled.label}`, labeled.url, { start: at, end: at + 1 });
}

/** A single line after a blank one. The weakest form: prose cites its sources in the same way. */
function plainMarker(lines: readonly string[], at: number): Marker | null {
  if (at > 0 && lines[at - 1]?.trim() !== '') return null;
  const labeled = parseLabeledLine(lines[at]);
  if (labeled === null) return null;
  return lineMarker(`plain ${labeled.label}`, labeled.url, { start: at, end: at + 1 });
}

function lineMarker(markerStyle: string, url: string, range: Pick<Marker, 'start' | 'end'>): Marker {
  return { markerStyle, family: 'line', url, title: null, ...range, retained: null, closing: null };
}

const MAX_HEADING_CHARS = 1000;

/** `# Title` with `Source: …` below it, `# [Title](url)` or `# Title (/path)`. */
function headingMarker(lines: readonly string[], at: number): Marker | null {
  const line = lines[at] ?? '';
  const heading = line.length > MAX_HEADING_CHARS ? null : /^(#{1,3})[ \t]+(\S.*)$/.exec(line);
  if (heading === null) return null;
  const [, marks = '#', rest = ''] = heading;
  const text = rest.trim();
  const next = lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const labeled = parseLabeledLine(lines[next]);
  if (labeled !== null) {
    const { label, url } = labeled;
    const markerStyle = `h${marks.length} ${next - at} ${label}`;
    return {
      markerStyle,
      family: 'line',
      url,
      title: text,
      start: at,
      end: next + 1,
      retained: `${marks} ${text}`,
      closing: null,
    };
  }
  const named = linkedTitle(text) ?? pathTitle(text);
  if (named === null) return null;
  const { url, title, how } = named;
  const markerStyle = `h${marks.length} ${how}`;
  return {
    markerStyle,
    family: 'heading-link',
    url,
    title,
    start: at,
    end: at + 1,
    retained: `${marks} ${title}`,
    closing: null,
  };
}

interface NamedHeading {
  readonly title: string;
  readonly url: string;
  readonly how: string;
}

function linkedTitle(text: string): NamedHeading | null {
  const [link] = inlineLinks(text);
  const whole = link !== undefined && link.start === 0 && link.end === text.length;
  return whole && isUrlOrPath(link.target) ? { title: link.text, url: link.target, how: 'link' } : null;
}

function pathTitle(text: string): NamedHeading | null {
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  const url = text.slice(open + 2, -1);
  return open > 0 && isUrlOrPath(url) ? { title: text.slice(0, open), url, how: 'path' } : null;
}

/** `<doc url="…" title="…">`, `<page>` with front matter, `<document>` with `<source>`, or a tag with a title only. */
function wrapperMarker(lines: readonly string[], at: number): Marker | null {
  const tag = /^<(doc|page|document|file|article)(\s[^<>]{0,4000})?>\s*$/.exec(lines[at] ?? '');
  if (tag === null) return null;
  const [, name = '', written = ''] = tag;
  const attributes = readAttributes(written);
  const titled: WrapperContent = { where: 'title', url: null, title: attributes.get('title') ?? null, lines: 0 };
  const inside = urlInAttributes(attributes) ?? urlInSource(lines, at) ?? urlInFrontMatter(lines, at) ?? titled;
  const { where, url, title, lines: skipped } = inside;
  if (url === null && title === null) return null;
  const markerStyle = `<${name} ${where}>`;
  const end = at + 1 + skipped;
  return {
    markerStyle,
    family: 'wrapper',
    url,
    title: title ?? titled.title,
    start: at,
    end,
    retained: null,
    closing: `</${name}>`,
  };
}

interface WrapperContent {
  readonly where: string;
  readonly url: string | null;
  readonly title: string | null;
  /** Number of lines after the tag that are not part of the page. */
  readonly lines: number;
}

function urlInAttributes(attributes: ReadonlyMap<string, string>): WrapperContent | null {
  for (const where of ['url', 'href', 'source', 'src', 'path']) {
    const url = attributes.get(where) ?? '';
    if (isUrlOrPath(url)) return { where, url, title: null, lines: 0 };
  }
  return null;
}

function urlInSource(lines: readonly string[], at: number): WrapperContent | null {
  const [, where = '', url = ''] = /^\s*<(source|url)>\s*(\S+?)\s*<\/\1>\s*$/.exec(lines[at + 1] ?? '') ?? [];
  if (!isUrlOrPath(url)) return null;
  const contents = /^\s*<document_contents?>\s*$/.test(lines[at + 2] ?? '');
  return { where, url, title: null, lines: contents ? 2 : 1 };
}

function urlInFrontMatter(lines: readonly string[], at: number): WrapperContent | null {
  const front = parseFrontMatter(lines, at + 1);
  if (front === null || front.url === null) return null;
  return { where: 'front-matter', url: front.url, title: front.title, lines: front.end - at - 1 };
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(/([a-zA-Z][\w-]{0,40})=(?:"([^"]*)"|'([^']*)')/g)) {
    attributes.set(name.toLowerCase(), (double ?? single ?? '').trim());
  }
  return attributes;
}

const LABEL =
  /^(?:\*\*|__)?(Source|Source URL|URL|Url|url|source|Link|Page|Page URL|Canonical|Canonical URL|Original URL|Permalink)(?:\*\*|__)?:(?:\*\*|__)?\s*(\S.*)$/;

/** A line such as `Source: https://…`. */
interface LabeledLine {
  readonly label: string;
  readonly url: string;
}

function parseLabeledLine(line: string | undefined): LabeledLine | null {
  if (line === undefined || line.length > 2200) return null;
  const match = LABEL.exec(line);
  if (match === null) return null;
  const value = unquote(match[2] ?? '');
  const linked = inlineLinks(value)[0];
  const url = linked !== undefined && linked.start === 0 ? linked.target : value.replace(/^<(.*)>$/, '$1');
  return isUrlOrPath(url) ? { label: match[1] ?? '', url } : null;
}

/** A block of `key: value` lines between two lines of dashes. No YAML parser: only the URL and the title are needed. */
interface FrontMatter {
  readonly url: string | null;
  /** The key of the URL, as written. */
  readonly urlKey: string | null;
  readonly title: string | null;
  /** Index of the line after the block. */
  readonly end: number;
}

const MAX_LINES = 60;
const DASHES = /^-{3,}\s*$/;
const URL_KEY = /^(?:url|source|source_url|sourceurl|canonical|canonical_url|permalink|link|href|html)$/i;

function isDashRule(line: string | undefined): boolean {
  return line !== undefined && DASHES.test(line);
}

/** `start` is the line of the opening dashes. */
function parseFrontMatter(lines: readonly string[], start: number): FrontMatter | null {
  if (!isDashRule(lines[start])) return null;
  const found: Found = { url: null, urlKey: null, title: null };
  for (let at = start + 1; at < lines.length && at - start <= MAX_LINES; at += 1) {
    const line = lines[at] ?? '';
    if (isDashRule(line)) return at === start + 1 ? null : { ...found, end: at + 1 };
    const pair = /^\s*(?:- )?([A-Za-z][\w-]{0,40}):(?:\s+(.*))?$/.exec(line);
    if (pair !== null) readPair(found, pair[1] ?? '', unquote(pair[2] ?? ''));
    // Lists, folded texts and comments continue a value; any other line means that this is prose.
    else if (!/^(?:\s+\S|-\s|#)/.test(line)) return null;
  }
  return null;
}

interface Found {
  url: string | null;
  urlKey: string | null;
  title: string | null;
}

function readPair(found: Found, key: string, value: string): void {
  if (found.url === null && URL_KEY.test(key) && isUrlOrPath(value)) {
    found.url = value;
    found.urlKey = key;
  }
  if (found.title === null && value !== '' && /^title$/i.test(key)) found.title = value;
}

function isUrlOrPath(text: string): boolean {
  return /^(?:https?:\/\/\S+|\/(?!\/)\S*)$/.test(text);
}

function unquote(value: string): string {
  const text = value.trim();
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : text;
}
