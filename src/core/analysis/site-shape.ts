// Learns the parts of a site from a list of its URLs: languages, versions, products, sections and path patterns. The result is plain data,
// so that a run can store it. Time is linear in the list, and memory is bounded.

import { scopeFolder } from '../url/scope-folder.ts';
import { pageUrl, parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { LANGUAGE_CODES } from './language-codes.table.ts';
import { compareText } from '../text/compare-text.ts';

export const TAXONOMIES = ['section', 'version', 'language', 'product', 'place'] as const;
export type Taxonomy = (typeof TAXONOMIES)[number];

/** Members of a taxonomy that are next to each other, such as `/docs/3.1` and `/docs/3.2`. */
export type Siblings = {
  readonly taxonomy: Taxonomy;
  /** Path of the folder that they are in, without a final slash. */
  readonly folder: string;
  readonly members: readonly string[];
};

export type Section = {
  readonly slug: string;
  readonly label: string;
  /** URLs below it, and its own page. */
  readonly urls: number;
};

/** A type, because it is stored as JSON. */
export type SiteShape = {
  /** The folder of the start URL, without a final slash. */
  readonly folder: string;
  readonly host: string;
  readonly siblings: readonly Siblings[];
  /** Most URLs first. */
  readonly sections: readonly Section[];
  /** Pattern prefixes whose next segment has many values. */
  readonly variable: readonly string[];
  /** Most URLs first. */
  readonly patterns: ReadonlyArray<{ readonly pattern: string; readonly urls: number }>;
};

/** Number of URLs to learn from; more would add nothing. */
const MAX_LEARNED_URLS = 50_000;
const MAX_SEGMENTS = 10;
/** Levels below the folder where languages, versions and products are looked for. */
const MAX_TAXONOMY_LEVELS = 3;
const MAX_FOLDERS = 2000;
const MAX_MEMBERS = 500;
const MAX_COUNTED_SECTIONS = 10_000;
export const MAX_SECTIONS = 200;
const MAX_PATTERNS = 2000;
/** A member and two siblings. */
const MIN_MEMBERS = 3;
const MIN_SECTION_URLS = 3;
/** A segment with at least this many values is a placeholder. */
const MIN_VALUES = 5;

const VERSION = /^(?:v?\d+(?:\.\d+){0,2}(?:\.x)?|latest|stable|current|next|main|master|dev)$/i;
const LANGUAGE = /^([a-z]{2})(?:[-_][a-z]{2,4})?$/i;

/** A longer path is compared by its start alone: a site may have any number of them, and each is read many times. */
const MAX_PATH_CHARS = 512;
/** Deeper folders are those of a trap. */
const MAX_LEVELS = 20;

/** Host and path, by offsets: the URL is serialised already, and parsing it takes most of the time of a plan. */
function hostAndPath(url: string): { readonly host: string; readonly path: string } {
  const start = url.indexOf('//') + 2;
  const slash = url.indexOf('/', start);
  if (slash === -1) return { host: url.slice(start), path: '' };
  const path = url.slice(slash, slash + MAX_PATH_CHARS);
  const query = path.indexOf('?');
  return { host: url.slice(start, slash), path: query === -1 ? path : path.slice(0, query) };
}

/** The path of a page below its host, in segments, without the file of a folder and without an extension. */
export function segmentsOf(url: string): readonly string[] {
  return segmentsIn(hostAndPath(url).path);
}

function segmentsIn(path: string): readonly string[] {
  const segments = path.split('/', MAX_LEVELS).filter((segment) => segment !== '');
  const last = segments.pop();
  if (last === undefined) return segments;
  const bare = last.replace(/\.(?:x?html?|md|php|aspx?)$/i, '');
  if (bare === last || !/^(?:index|default|readme)$/i.test(bare)) segments.push(bare);
  return segments;
}

/** The same key for every spelling of a folder's URL: with or without a final slash, an index file or an extension. */
export function folderKey(url: string): string {
  const { host, path } = hostAndPath(url);
  return `//${host}/${segmentsIn(path).join('/')}`;
}

/** Where the addresses of a source begin: at its start URL, or at the root of its files, whatever they come from. */
export function siteStart(startUrl: string): PageUrl {
  return parsePageUrl(startUrl) ?? pageUrl('file:///');
}

export function learnShape(
  urls: Iterable<PageUrl>,
  startUrl: PageUrl,
  labels: ReadonlyMap<string, string> = new Map(),
): SiteShape {
  const start = new URL(startUrl);
  const base = { folder: scopeFolder(start.pathname), host: start.host };
  const paths: Array<readonly string[]> = [];
  for (const url of urls) {
    if (paths.length >= MAX_LEARNED_URLS) break;
    const path = pathBelow(url, base);
    if (path !== null) paths.push(path);
  }
  const siblings = [...learnSiblings(paths, base), ...learnProducts(paths, base)];
  const location = locator(base.folder, siblings);
  const locations = paths.map(location);
  const sections = countSections(locations, labels);
  const slugs = new Set(sections.map(({ slug }) => slug));
  return { ...base, siblings, sections, ...learnPatterns(locations, slugs, base.folder) };
}

/** Segments below the folder; null for a page of another host, or outside the folder. */
function pathBelow(url: PageUrl, { folder, host }: Pick<SiteShape, 'folder' | 'host'>): readonly string[] | null {
  const own = hostAndPath(url);
  if (own.host !== host) return null;
  if (folder !== '' && own.path !== folder && !own.path.startsWith(`${folder}/`)) return null;
  const above = folder === '' ? 0 : folder.split('/').length - 1;
  return segmentsIn(own.path).slice(above, above + MAX_SEGMENTS);
}

function taxonomyOf(segment: string): 'version' | 'language' | null {
  if (VERSION.test(segment)) return 'version';
  const code = LANGUAGE.exec(segment)?.[1];
  return code !== undefined && LANGUAGE_CODES.has(code.toLowerCase()) ? 'language' : null;
}

/** The segments near the folder, each with the path before it and the segment after it. */
function* eachSegment(paths: ReadonlyArray<readonly string[]>, folder: string, levels: number) {
  for (const path of paths) {
    let prefix = folder;
    for (const [at, segment] of path.slice(0, levels).entries()) {
      yield { prefix, segment, next: path[at + 1] };
      prefix = `${prefix}/${segment}`;
    }
  }
}

function learnSiblings(paths: ReadonlyArray<readonly string[]>, { folder }: Pick<SiteShape, 'folder'>): Siblings[] {
  const found = new Map<string, { taxonomy: Taxonomy; folder: string; members: Set<string> }>();
  for (const { prefix, segment } of eachSegment(paths, folder, MAX_TAXONOMY_LEVELS)) {
    const taxonomy = taxonomyOf(segment);
    if (taxonomy === null) continue;
    const key = `${taxonomy} ${prefix}`;
    const known = found.get(key) ?? { taxonomy, folder: prefix, members: new Set() };
    if (known.members.size < MAX_MEMBERS) known.members.add(segment);
    if (found.size < MAX_FOLDERS) found.set(key, known);
  }
  return [...found.values()]
    .filter(({ taxonomy, members }) => members.size >= MIN_MEMBERS && (taxonomy === 'language' || hasNumber(members)))
    .map((one) => ({ ...one, members: [...one.members].sort() }));
}

/** Branches next to each other, `dev` and `main`, are not versions. */
function hasNumber(members: ReadonlySet<string>): boolean {
  return [...members].some((member) => /\d/.test(member));
}

const MAX_PRODUCTS = 100;
const MAX_SLUGS = 50;
const MIN_SHARED = 3;

/** Folders next to each other with the same pages below: `/sdk/python/install`, `/sdk/node/install`. */
function learnProducts(paths: ReadonlyArray<readonly string[]>, { folder }: Pick<SiteShape, 'folder'>): Siblings[] {
  const byFolder = new Map<string, Map<string, Set<string>>>();
  for (const { prefix, segment, next } of eachSegment(paths, folder, MAX_TAXONOMY_LEVELS - 1)) {
    if (next === undefined || taxonomyOf(segment) !== null) continue;
    const members = byFolder.get(prefix) ?? new Map<string, Set<string>>();
    if (byFolder.size < MAX_FOLDERS) byFolder.set(prefix, members);
    const slugs = members.get(segment) ?? new Set<string>();
    if (members.size < MAX_PRODUCTS) members.set(segment, slugs);
    if (slugs.size < MAX_SLUGS) slugs.add(next);
  }
  return [...byFolder].slice(0, MAX_PRODUCTS).flatMap(([prefix, members]) => {
    const parallel = parallelMembers([...members]);
    return parallel.length < 2 ? [] : [{ taxonomy: 'product' as const, folder: prefix, members: parallel }];
  });
}

function parallelMembers(members: ReadonlyArray<readonly [string, ReadonlySet<string>]>): string[] {
  const parallel = new Set<string>();
  for (const [at, [name, slugs]] of members.entries())
    for (const [other, others] of members.slice(at + 1)) {
      const shared = [...slugs].filter((slug) => others.has(slug)).length;
      if (shared < MIN_SHARED || shared * 2 < Math.min(slugs.size, others.size)) continue;
      parallel.add(name).add(other);
    }
  return [...parallel].sort();
}

/** Where a page is in its site. */
export interface UrlLocation {
  readonly language: string | null;
  readonly version: string | null;
  readonly product: string | null;
  /** Segments after language and version; the first one is the section, if others are below it. */
  readonly rest: readonly string[];
  /** The path before them. */
  readonly prefix: string;
}

function locator(folder: string, siblings: readonly Siblings[]): (path: readonly string[]) => UrlLocation {
  const members = new Map(siblings.map((one) => [`${one.taxonomy} ${one.folder}`, new Set(one.members)] as const));
  const isMember = (taxonomy: Taxonomy, at: string, segment: string): boolean =>
    members.get(`${taxonomy} ${at}`)?.has(segment) === true;
  const productOf = (prefix: string, [first = '', second = '']: readonly string[]): string | null => {
    if (isMember('product', prefix, first)) return first;
    return isMember('product', `${prefix}/${first}`, second) ? second : null;
  };
  return (path) => {
    let prefix = folder;
    let [language, version]: readonly [string | null, string | null] = [null, null];
    let at = 0;
    for (const segment of path.slice(0, MAX_TAXONOMY_LEVELS)) {
      if (language === null && isMember('language', prefix, segment)) language = segment;
      else if (version === null && isMember('version', prefix, segment)) version = segment;
      else break;
      prefix = `${prefix}/${segment}`;
      at += 1;
    }
    const rest = path.slice(at);
    return { language, version, product: productOf(prefix, rest), rest, prefix };
  };
}

function countSections(locations: readonly UrlLocation[], labels: ReadonlyMap<string, string>): Section[] {
  const counts = new Map<string, { urls: number; below: number }>();
  for (const { rest } of locations) {
    const [slug] = rest;
    if (slug === undefined) continue;
    const count = counts.get(slug) ?? { urls: 0, below: 0 };
    if (counts.size >= MAX_COUNTED_SECTIONS && !counts.has(slug)) continue;
    count.urls += 1;
    count.below += Number(rest.length > 1);
    counts.set(slug, count);
  }
  return [...counts]
    .filter(([, { urls, below }]) => below > 0 && urls >= MIN_SECTION_URLS)
    .sort(([a, x], [b, y]) => y.urls - x.urls || compareText(a, b))
    .slice(0, MAX_SECTIONS)
    .map(([slug, { urls }]) => ({ slug, label: labels.get(slug) ?? titleOf(slug), urls }));
}

/** `user-guides` as `User Guides`. */
export function titleOf(slug: string): string {
  return slug
    .replaceAll(/[-_]+/g, ' ')
    .replaceAll(/(^| )(\p{L})/gu, (_, space: string, letter: string) => space + letter.toUpperCase());
}

type Patterns = Pick<SiteShape, 'variable' | 'patterns'>;

/** Counts the values of each segment level by level, below the pattern of the segments before it. */
function learnPatterns(locations: readonly UrlLocation[], sections: ReadonlySet<string>, folder: string): Patterns {
  const variable = new Set<string>();
  let at = locations.map((location) => ({ location, pattern: startOfPattern(location, folder) }));
  for (let level = 0; level < MAX_SEGMENTS && at.length > 0; level += 1) {
    for (const [pattern, { size }] of valuesAt(at, level, sections))
      if (size >= MIN_VALUES && variable.size < MAX_PATTERNS) variable.add(pattern);
    at = at.flatMap(({ location, pattern }) => {
      const segment = location.rest[level];
      if (segment === undefined) return [];
      return [{ location, pattern: `${pattern}/${tokenAt(segment, level, { pattern, variable, sections })}` }];
    });
  }
  const counts = new Map<string, number>();
  for (const location of locations) {
    const pattern = patternIn(location, { variable, sections, folder });
    if (counts.has(pattern) || counts.size < MAX_COUNTED_SECTIONS) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  const patterns = [...counts]
    .sort(([a, x], [b, y]) => y - x || compareText(a, b))
    .slice(0, MAX_PATTERNS)
    .map(([pattern, urls]) => ({ pattern, urls }));
  return { variable: [...variable], patterns };
}

/** The first few values of a segment, by the pattern of those before it; a section is not one of many. */
function valuesAt(
  at: ReadonlyArray<{ readonly location: UrlLocation; readonly pattern: string }>,
  level: number,
  sections: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>();
  for (const { location, pattern } of at) {
    const segment = location.rest[level];
    if (segment === undefined || (level === 0 && sections.has(segment))) continue;
    const known = values.get(pattern) ?? new Set<string>();
    if (known.size < MIN_VALUES) known.add(segment);
    values.set(pattern, known);
  }
  return values;
}

function startOfPattern({ language, version }: UrlLocation, folder: string): string {
  return `${folder}${language === null ? '' : '/{lang}'}${version === null ? '' : '/{version}'}`;
}

function tokenAt(
  segment: string,
  level: number,
  {
    pattern,
    variable,
    sections,
  }: { readonly pattern: string; readonly variable: ReadonlySet<string>; readonly sections: ReadonlySet<string> },
): string {
  if ((level === 0 && sections.has(segment)) || !variable.has(pattern)) return segment;
  if (/^\d+$/.test(segment)) return '{n}';
  const taxonomy = taxonomyOf(segment);
  return taxonomy === 'version' ? '{version}' : taxonomy === 'language' ? '{lang}' : '{slug}';
}

function patternIn(
  location: UrlLocation,
  how: { readonly variable: ReadonlySet<string>; readonly sections: ReadonlySet<string>; readonly folder: string },
): string {
  let pattern = startOfPattern(location, how.folder);
  for (const [level, segment] of location.rest.entries())
    pattern += `/${tokenAt(segment, level, { pattern, variable: how.variable, sections: how.sections })}`;
  return pattern === '' ? '/' : pattern;
}

export interface LocatedPage {
  readonly location: UrlLocation;
  readonly section: Section | null;
  readonly pattern: string;
}

/** Finds the location of a URL in a site. A page outside the folder or of another host is in no section. */
export function createLocator(shape: SiteShape): (url: PageUrl) => LocatedPage {
  const location = locator(shape.folder, shape.siblings);
  const bySlug = new Map(shape.sections.map((section) => [section.slug, section]));
  const how = { variable: new Set(shape.variable), sections: new Set(bySlug.keys()), folder: shape.folder };
  return (url) => {
    const path = pathBelow(url, shape);
    if (path === null) {
      const outside = { language: null, version: null, product: null, rest: [], prefix: '' };
      return { location: outside, section: null, pattern: `//${hostAndPath(url).host}` };
    }
    const at = location(path);
    return { location: at, section: bySlug.get(at.rest[0] ?? '') ?? null, pattern: patternIn(at, how) };
  };
}
