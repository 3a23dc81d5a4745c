// Detects crawl traps: by the shape of a URL (nested folders, calendars, endless paths), and by budgets for parameters and
// for folders whose pages are all the same.

import type { Document } from '../model/document.ts';
import { createLruCache } from '../lru-cache.ts';
import type { PageUrl } from '../model/page-url.ts';

export interface TrapLimits {
  readonly maxLength: number;
  /** Folders and file together. */
  readonly maxSegments: number;
  /** How often one segment may occur in a path. */
  readonly maxRepeats: number;
  readonly maxParameters: number;
}

export const DEFAULT_TRAP_LIMITS: TrapLimits = { maxLength: 2048, maxSegments: 20, maxRepeats: 3, maxParameters: 12 };

export type TrapVerdict =
  | { readonly trap: false }
  | {
      readonly trap: true;
      readonly shape: 'long-url' | 'deep-path' | 'repeated-segment' | 'many-parameters' | 'calendar';
      readonly rule: string;
    };

export function trapVerdict(url: PageUrl, limits: TrapLimits = DEFAULT_TRAP_LIMITS): TrapVerdict {
  if (url.length > limits.maxLength) return trap('long-url', `longer than ${limits.maxLength} characters`);
  const { pathname, search } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > limits.maxSegments) return trap('deep-path', `more than ${limits.maxSegments} segments`);
  const repeated = mostRepeated(segments);
  if (repeated.times > limits.maxRepeats) {
    return trap('repeated-segment', `"${repeated.segment}" occurs ${repeated.times} times in the path`);
  }
  const parameters = search === '' ? [] : search.slice(1).split('&');
  if (parameters.length > limits.maxParameters) {
    return trap('many-parameters', `more than ${limits.maxParameters} parameters`);
  }
  const calendar = calendarPart(segments, parameters);
  return calendar === null ? { trap: false } : trap('calendar', `"${calendar}" is a page of a calendar`);
}

function trap(shape: Extract<TrapVerdict, { trap: true }>['shape'], rule: string): TrapVerdict {
  return { trap: true, shape, rule };
}

function mostRepeated(segments: readonly string[]): { readonly segment: string; readonly times: number } {
  const times = new Map<string, number>();
  let most = { segment: '', times: 0 };
  for (const segment of segments) {
    const count = (times.get(segment) ?? 0) + 1;
    times.set(segment, count);
    if (count > most.times) most = { segment, times: count };
  }
  return most;
}

const CALENDAR_WORD = /^(?:calendar|events?|agenda|schedule|kalender|calendrier)$/i;
const DATE_SEGMENT = /^(?:(?:19|20)\d\d(?:-\d\d?){0,2}|(?:week|month|day)s?)$/i;
const CALENDAR_PARAMETER =
  /^(?:cal(?:endar)?_?(?:date|day|month|year|view)?|date|day|month|week|year|tribe-bar-date|ical|outlook-ical)=/i;
const DATE_VALUE = /=(?:19|20)\d\d(?:-?\d\d?){0,2}$|^(?:i|outlook-i)cal=/i;

/** A dated path alone may be a blog; only below a calendar word is there always a next month. */
function calendarPart(segments: readonly string[], parameters: readonly string[]): string | null {
  const word = segments.findIndex((segment) => CALENDAR_WORD.test(segment));
  const next = segments[word + 1];
  if (word !== -1 && next !== undefined && DATE_SEGMENT.test(next)) return `${segments[word]}/${next}`;
  return parameters.find((pair) => CALENDAR_PARAMETER.test(pair) && DATE_VALUE.test(pair)) ?? null;
}

/**
 * Limits for URLs that look harmless one by one. Each worker counts on its own: a trap costs a bounded number of requests,
 * which is all that matters.
 */
export interface TrapBudgetLimits {
  /** URLs with the same path and the same parameter names. */
  readonly maxUrlsPerPattern: number;
  /** Combinations of parameter names on one path. */
  readonly maxShapesPerPath: number;
  /** Pages of a folder before its share of duplicates is checked. */
  readonly duplicateCheckPages: number;
  /** Share of pages that duplicate another one. */
  readonly maxDuplicateShare: number;
}

export const DEFAULT_TRAP_BUDGET: TrapBudgetLimits = {
  maxUrlsPerPattern: 1000,
  maxShapesPerPath: 100,
  duplicateCheckPages: 500,
  maxDuplicateShare: 0.95,
};

export interface TrapBudget {
  /** Why the URL is over budget; null if it may be crawled. Idempotent for the same URL. */
  exclusion(url: PageUrl): string | null;
  /** Records the text fingerprint of a crawled page. */
  record(url: PageUrl, fingerprint: string): void;
}

interface FolderStats {
  pages: number;
  /** Null once there are so many that the folder is not a trap. */
  fingerprints: Set<string> | null;
}

/** How much a budget remembers. */
export interface TrapMemory {
  /** A run takes no more URLs with parameters than this: those beyond it could not be checked. */
  readonly maxUrls: number;
  readonly maxFingerprints: number;
}

const DEFAULT_MEMORY: TrapMemory = { maxUrls: 500_000, maxFingerprints: 500_000 };
const MAX_FOLDERS = 100_000;
/** A folder with so many different pages has real content, whatever else is in it. */
const DIVERSE_FINGERPRINTS = 5000;

export function createTrapBudget(
  limits: TrapBudgetLimits = DEFAULT_TRAP_BUDGET,
  { maxUrls, maxFingerprints }: TrapMemory = DEFAULT_MEMORY,
): TrapBudget {
  const shapes = new Map<string, Set<string>>();
  const urls = new Map<string, Set<string>>();
  const folders = createLruCache<string, FolderStats>(MAX_FOLDERS, maxFingerprints);
  let cached = 0;

  function addTo(
    sets: Map<string, Set<string>>,
    key: string,
    value: string,
    max: number,
  ): 'present' | 'added' | 'full' {
    const set = sets.get(key) ?? new Set<string>();
    if (set.has(value)) return 'present';
    if (set.size >= max || cached >= maxUrls) return 'full';
    cached += 1;
    sets.set(key, set.add(value));
    return 'added';
  }

  function parameterExclusion(url: PageUrl, queryStart: number): string | null {
    const path = url.slice(0, queryStart);
    const names = parameterNames(url.slice(queryStart + 1));
    const { maxShapesPerPath, maxUrlsPerPattern } = limits;
    const inShapes = addTo(shapes, path, names, maxShapesPerPath);
    const inUrls = inShapes === 'full' ? 'full' : addTo(urls, `${path}?${names}`, url, maxUrlsPerPattern);
    if (inUrls !== 'full') return null;
    if (cached >= maxUrls) return `more than ${maxUrls} URLs with parameters`;
    if (inShapes === 'full') return `more than ${maxShapesPerPath} combinations of parameters on one path`;
    return `more than ${maxUrlsPerPattern} URLs with the parameters ${names}`;
  }

  return {
    exclusion(url) {
      const stats = folders.get(folderOf(url));
      if (stats !== undefined && isMostlyDuplicates(stats, limits))
        return `${stats.pages} pages of this folder are nearly identical`;
      const queryStart = url.indexOf('?');
      return queryStart === -1 ? null : parameterExclusion(url, queryStart);
    },
    record(url, fingerprint) {
      const key = folderOf(url);
      const stats = folders.get(key) ?? { pages: 0, fingerprints: new Set<string>() };
      stats.pages += 1;
      stats.fingerprints?.add(fingerprint);
      if (stats.fingerprints?.size === DIVERSE_FINGERPRINTS) stats.fingerprints = null;
      folders.set(key, stats, stats.fingerprints?.size ?? 0);
    },
  };
}

function isMostlyDuplicates({ pages, fingerprints }: FolderStats, limits: TrapBudgetLimits): boolean {
  if (fingerprints === null) return false;
  return pages >= limits.duplicateCheckPages && (pages - fingerprints.size) / pages > limits.maxDuplicateShare;
}

/** Folder of a page, without query parameters. */
function folderOf(url: PageUrl): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  return path.slice(0, path.lastIndexOf('/'));
}

function parameterNames(query: string): string {
  const names = query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  return [...new Set(names)].sort().join('&');
}

// A fingerprint of the text of a page that ignores links and numbers. Not a secure hash: a fast one in a single pass will do.
const MAX_LABEL_CHARS = 300;
const MAX_TARGET_CHARS = 2048;
const OPEN = '['.charCodeAt(0);
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

export function textFingerprint({ title, text }: Pick<Document, 'title' | 'text'>): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  const add = (code: number): void => {
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
  };
  for (let i = 0; i < title.length; i++) add(title.charCodeAt(i));
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const end = code === OPEN ? linkEnd(text, i) : -1;
    if (end !== -1) i = end;
    else if (code > SPACE && (code < ZERO || code > NINE)) add(code);
  }
  return `${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}`;
}

/** End of the Markdown link that starts here. The lookahead is bounded, so the time is linear for any text. */
function linkEnd(text: string, open: number): number {
  const label = text.slice(open, open + MAX_LABEL_CHARS).indexOf('](');
  if (label === -1) return -1;
  const target = text.slice(open + label, open + label + MAX_TARGET_CHARS).indexOf(')');
  return target === -1 ? -1 : open + label + target;
}
