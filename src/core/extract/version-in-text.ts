// Finds the version of the documented product in the title of a page and in its URL. Both are only evidence: a source declares
// what most of its pages agree on, and no version is better than a wrong one.

import { parseDeclaredVersion, VERSION_PATTERN } from '../model/declared-version.ts';

const MAX_TITLE_CHARS = 300;
const SEPARATOR = /\s[-–—|·•»›]+\s|\s?\|\s?|:\s/;

const KIND_OF_TEXT =
  '(?:documentation|docs|manual|handbook|user guide|reference(?: manual| guide| documentation)?|api(?: documentation| reference| docs)?)';
/** `Django 3.2.25 documentation`, `Node.js v18.20.4 Documentation`. */
const BEFORE_KIND = new RegExp(
  String.raw`^(?<name>.{0,60}?)(?:^|\s)v?(?<version>${VERSION_PATTERN})\s${KIND_OF_TEXT}$`,
  'i',
);
/** `pip documentation v24.0`, `Apache HTTP Server Version 2.4`. */
const AFTER_KIND = new RegExp(
  String.raw`^(?<name>.{0,60}?)\b(?:${KIND_OF_TEXT}|version|release)\s(?:version\s)?v?(?<version>${VERSION_PATTERN})$`,
  'i',
);
/** `Qt Core 5.15.8`, `Elixir v1.16.0`. */
const AT_END = new RegExp(String.raw`^(?<name>.{0,60}?)(?:^|\s)v?(?<version>${VERSION_PATTERN})$`, 'i');

/** Words before a number that is not the version of a product. */
const NUMBERED =
  /\b(?:chapter|part|section|appendix|volume|book|step|level|lesson|unit|day|week|phase|figure|table|example|rfc|pep|adr|iso|es|since|until|before|after|in|to|from|than)\s?$/i;

/** Null if the title states none, or more than one. */
export function versionInTitle(title: string): string | null {
  const segments = title
    .slice(0, MAX_TITLE_CHARS)
    .split(SEPARATOR)
    .map((segment) => segment.trim());
  for (const segment of segments.toReversed()) {
    const found = namedVersion(BEFORE_KIND.exec(segment)) ?? namedVersion(AFTER_KIND.exec(segment));
    if (found !== null) return found;
  }
  const last = segments.length > 1 ? AT_END.exec(segments.at(-1) ?? '') : null;
  const atEnd = isDotted(last?.groups?.['version']) ? namedVersion(last) : null;
  return atEnd ?? versionInParentheses(title.slice(0, MAX_TITLE_CHARS));
}

/** A single number needs a name, because it may number anything. */
function namedVersion(match: RegExpExecArray | null): string | null {
  const { name = '', version = '' } = match?.groups ?? {};
  if (NUMBERED.test(name) || (name.trim() === '' && !isDotted(version))) return null;
  return parseDeclaredVersion(version);
}

function isDotted(version = ''): boolean {
  return version.includes('.');
}

/** `(Gradle API 4.4.1)`, `(Java SE 17 & JDK 17)`, `(10.1.60)`: all numbers in them agree. */
function versionInParentheses(title: string): string | null {
  const inside = /\s\((?<words>[^()]{1,80})\)/.exec(title)?.groups?.['words'] ?? '';
  const words = inside.split(/\s+/);
  const found = words.flatMap((word, at) => {
    const version = parseDeclaredVersion(word);
    return version === null ? [] : [{ version, name: words.slice(0, at).join(' ') }];
  });
  const [first] = found;
  if (first === undefined || found.some(({ version }) => version !== first.version)) return null;
  if (NUMBERED.test(first.name) || (first.name === '' && !isDotted(first.version))) return null;
  return first.version;
}

/** Segments after these are versions of an interface or of a file, not of the documented product. */
const NOT_PRODUCT = new Set(['api', 'apis', 'rest', 'schema', 'schemas', 'releases', 'release', 'blog', 'changelog']);
const PRODUCT_FOLDERS = new Set(['docs', 'doc', 'documentation', 'manual', 'en', 'current', 'version', 'versions']);
/** Deeper folders belong to parts of the documentation. */
const MAX_DEPTH = 4;

/** `/v3/`, `/3.11/`, `/docs/15/`, `v2.example.dev`; null for a file. */
export function versionInUrl(url: string): string | null {
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const folders = pathname.toLowerCase().split('/').slice(1, -1).slice(0, MAX_DEPTH);
  for (const [at, folder] of folders.entries()) {
    const version = parseDeclaredVersion(folder);
    if (version !== null && isProductFolder(folder, folders[at - 1] ?? '')) return version;
  }
  return /^v(?<version>\d{1,3})\./.exec(hostname)?.groups?.['version'] ?? null;
}

/** A number alone may be a year, a page or an id. */
function isProductFolder(folder: string, parent: string): boolean {
  if (NOT_PRODUCT.has(parent)) return false;
  return isDotted(folder) || /^v\d{1,3}$/.test(folder) || (PRODUCT_FOLDERS.has(parent) && folder.length <= 2);
}

/** Evidence besides the stored pages. */
export interface VersionHints {
  /** What the HTML of some pages declares, if they are stored as Markdown. */
  readonly html: ReadonlyArray<string | null>;
  readonly llmsTitle: string | null;
}

/** A title may be about one page only. */
const MIN_HTML_PAGES = 2;

/** Null if most pages declare none and the hints do not either, or if they disagree. */
export function agreedVersion(pages: ReadonlyArray<string | null>, { html, llmsTitle }: VersionHints): string | null {
  const counts = new Map<string, number>();
  for (const version of pages) if (version !== null) counts.set(version, (counts.get(version) ?? 0) + 1);
  for (const [version, count] of counts) if (count * 2 > pages.length) return version;
  const isAgreed = html.length >= MIN_HTML_PAGES && new Set(html).size === 1;
  const stated = (isAgreed ? html[0] : null) ?? versionInTitle(llmsTitle ?? '');
  // Pages that declare something else contradict the hints.
  return [...counts.keys()].every((version) => version === stated) ? stated : null;
}
