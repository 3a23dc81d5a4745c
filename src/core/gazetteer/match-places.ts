// Finds places in texts and URLs: the longest run of up to four words that is a name. Time is linear in the text and independent of the
// number of places.

import { decodePercent } from '../text/decode-percent.ts';
import { placeSlug, type NamedPlace, type Place } from './place.ts';

/** The context of a name; it decides between places with the same name. */
export interface PlaceContext {
  /** Country of the host, from an earlier analysis. */
  readonly hostCountry?: string | null;
  readonly url?: string;
  /** The place that the section of the page belongs to. */
  readonly sectionPlace?: number | null;
  readonly inTitle?: boolean;
}

export interface PlaceMention {
  readonly place: Place;
  readonly method: 'gazetteer';
  readonly source: 'text' | 'title' | 'url';
  /** Offsets in the text or title; -1 in a URL. */
  readonly start: number;
  readonly end: number;
}

export interface PlaceMatcher {
  /** Mentions in text order, without overlaps. */
  inText(text: string, source: 'text' | 'title', context?: PlaceContext): readonly PlaceMention[];
  /** Mentions in the segments of the path, and in the parts of a segment between hyphens. */
  inUrl(url: string, context?: PlaceContext): readonly PlaceMention[];
  /** The place that a segment of a path names as a whole, with or without hyphens; null if it names none. */
  bySegment(segment: string, context?: PlaceContext): Place | null;
}

const MAX_WORDS = 4;
const MAX_WORD_CHARS = 60;
const MAX_MENTIONS = 1000;
/** Shorter words are more often abbreviations or prepositions than places. */
const MIN_NAME_CHARS = 3;
const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu;

export function createPlaceMatcher(named: Iterable<NamedPlace>): PlaceMatcher {
  const { bySlug, beginnings } = indexNames(named);
  const best = (slug: string, context: PlaceContext): Place | null => {
    const places = slug.length < MIN_NAME_CHARS ? undefined : bySlug.get(slug);
    return places === undefined ? null : (rankPlaces(places, context)[0] ?? null);
  };
  const bySegment: PlaceMatcher['bySegment'] = (segment, context = {}) =>
    best(placeSlug(decodePercent(segment)), context);

  /** The longest name that begins with the first of these slugs, and how many of them it takes. */
  function longest(slugs: readonly string[], context: PlaceContext): { place: Place; words: number } | null {
    if (!beginnings.has(slugs[0]?.split('-', 1)[0] ?? '')) return null;
    for (let words = slugs.length; words > 0; words -= 1) {
      const place = best(slugs.slice(0, words).join('-'), context);
      if (place !== null) return { place, words };
    }
    return null;
  }

  /** A name begins with a capital letter wherever its script has them. */
  function longestInText(run: readonly Word[], context: PlaceContext): ReturnType<typeof longest> {
    if (/^\p{Ll}/u.test(run[0]?.text ?? '')) return null;
    const slugs = run.map(({ slug }) => slug);
    return longest(slugs, context);
  }

  function addParts(segment: string, context: PlaceContext, found: Map<number, PlaceMention>): void {
    const parts = placeSlug(decodePercent(segment)).split('-');
    for (let at = 0; at < parts.length;) {
      const match = longest(parts.slice(at, at + MAX_WORDS), context);
      if (match !== null) found.set(match.place.id, mentionInUrl(match.place));
      at += match?.words ?? 1;
    }
  }

  return {
    bySegment,
    inText(text, source, context = {}) {
      const found: PlaceMention[] = [];
      const where = { ...context, inTitle: source === 'title' };
      const words = wordsOf(text);
      for (let at = 0; at < words.length && found.length < MAX_MENTIONS;) {
        const run = runAt(text, words, at);
        const match = longestInText(run, where);
        if (match !== null) found.push(mentionOf(match.place, source, run[0], run[match.words - 1]));
        at += match?.words ?? 1;
      }
      return found;
    },
    inUrl(url, context = {}) {
      const found = new Map<number, PlaceMention>();
      const where = { url, ...context };
      for (const segment of segmentsOf(url)) {
        const whole = bySegment(segment, where);
        if (whole === null) addParts(segment, where, found);
        else found.set(whole.id, mentionInUrl(whole));
        if (found.size >= MAX_MENTIONS) break;
      }
      return [...found.values()];
    },
  };
}

/** Places by each of their names, with hyphens and without, and the first words of all names. */
function indexNames(named: Iterable<NamedPlace>): {
  readonly bySlug: ReadonlyMap<string, readonly Place[]>;
  readonly beginnings: ReadonlySet<string>;
} {
  const bySlug = new Map<string, Place[]>();
  const beginnings = new Set<string>();
  for (const { slug, place } of named) {
    if (slug.length < MIN_NAME_CHARS) continue;
    beginnings.add(slug.split('-', 1)[0] ?? '');
    for (const spelling of new Set([slug, slug.replaceAll('-', '')])) addPlace(bySlug, spelling, place);
  }
  return { bySlug, beginnings };
}

/** Thousands of places may have one name, and any of them is looked at whenever a text has it: the most populous ones will do. */
const MAX_NAMESAKES = 500;

function addPlace(bySlug: Map<string, Place[]>, slug: string, place: Place): void {
  const known = bySlug.get(slug);
  if (known === undefined) return void bySlug.set(slug, [place]);
  if (known.some(({ id }) => id === place.id)) return;
  if (known.length < MAX_NAMESAKES) return void known.push(place);
  const least = known.reduce((found, one) => (isLess(one, found) ? one : found));
  if (isLess(least, place)) known[known.indexOf(least)] = place;
}

/** Whether a place gives way to another one. */
function isLess(a: Place, b: Place): boolean {
  const [left, right] = [a.population ?? 0, b.population ?? 0];
  return left === right ? a.id > b.id : left < right;
}

const mentionInUrl = (place: Place): PlaceMention => ({
  place,
  method: 'gazetteer',
  source: 'url',
  start: -1,
  end: -1,
});

interface Word {
  readonly text: string;
  readonly slug: string;
  readonly start: number;
  readonly end: number;
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    text: match[0],
    slug: match[0].length > MAX_WORD_CHARS ? '' : placeSlug(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The words from `at` on that only white space separates. */
function runAt(text: string, words: readonly Word[], at: number): readonly Word[] {
  const run = words.slice(at, at + MAX_WORDS);
  const cut = run.findIndex((word, nth) => nth > 0 && !/^\s{1,2}$/.test(text.slice(run[nth - 1]?.end, word.start)));
  return cut === -1 ? run : run.slice(0, cut);
}

function mentionOf(
  place: Place,
  source: PlaceMention['source'],
  first: Word | undefined,
  last: Word | undefined,
): PlaceMention {
  return { place, method: 'gazetteer', source, start: first?.start ?? 0, end: last?.end ?? 0 };
}

function segmentsOf(url: string): readonly string[] {
  return (URL.parse(url)?.pathname ?? '').split('/').filter((segment) => segment !== '');
}

/** Best first; equal candidates in the order of their identities. */
export function rankPlaces<One extends Place>(places: readonly One[], context: PlaceContext): readonly One[] {
  const scores = new Map(places.map((place) => [place.id, placeScore(place, context)]));
  return places.toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || a.id - b.id);
}

export function placeScore({ id, countryCode, population }: Place, context: PlaceContext): number {
  const { sectionPlace = null, inTitle = false } = context;
  const ofCountry = countryCode === null ? 0 : countryScore(countryCode.toLowerCase(), context);
  const ofPage = (sectionPlace === id ? 2 : 0) + (inTitle ? 1 : 0);
  return ofCountry + ofPage + 0.5 * Math.log10((population ?? 0) + 1);
}

function countryScore(code: string, { hostCountry = null, url = '' }: PlaceContext): number {
  const ofHost = hostCountry?.toLowerCase() === code ? 5 : 0;
  const ofPath = segmentsOf(url).some((segment) => segment.toLowerCase() === code) ? 4 : 0;
  return ofHost + ofPath + (countryOfDomain(URL.parse(url)?.hostname) === code ? 3 : 0);
}

function countryOfDomain(host: string | undefined): string | undefined {
  const domain = host?.slice(host.lastIndexOf('.') + 1);
  return domain === 'uk' ? 'gb' : domain;
}
