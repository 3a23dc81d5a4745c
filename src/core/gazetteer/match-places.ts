// Finds places in texts and URLs: the longest run of up to four words that is a name. Time is linear in the text, whatever the
// number of places is.

import { decodePercent } from '../text/decode-percent.ts';
import { placeSlug, type NamedPlace, type Place } from './place.ts';

/** What is known about where a name was found; it decides between places of one name. */
export interface PlaceContext {
  /** Country of the host, as an earlier analysis found it. */
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
  /** In text order, without overlaps. */
  inText(text: string, source: 'text' | 'title', context?: PlaceContext): readonly PlaceMention[];
  /** In the segments of its path, and in the parts of a segment between hyphens. */
  inUrl(url: string, context?: PlaceContext): readonly PlaceMention[];
  /** The place that a segment of a path names as a whole, also when it is written without hyphens; null if none does. */
  bySegment(segment: string, context?: PlaceContext): Place | null;
}

const MAX_WORDS = 4;
const MAX_WORD_CHARS = 60;
const MAX_MENTIONS = 1000;
/** A shorter word is more often an abbreviation or a preposition than a place. */
const MIN_NAME_CHARS = 3;
const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu;

export function createPlaceMatcher(named: Iterable<NamedPlace>): PlaceMatcher {
  const bySlug = new Map<string, Place[]>();
  const beginnings = new Set<string>();
  for (const { slug, place } of named) {
    if (slug.length < MIN_NAME_CHARS) continue;
    beginnings.add(slug.split('-', 1)[0] ?? '');
    for (const form of new Set([slug, slug.replaceAll('-', '')])) addPlace(bySlug, form, place);
  }
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

  return {
    bySegment,
    inText(text, source, context = {}) {
      const found: PlaceMention[] = [];
      const where = { ...context, inTitle: source === 'title' };
      const words = wordsOf(text);
      for (let at = 0; at < words.length && found.length < MAX_MENTIONS;) {
        const run = runAt(text, words, at);
        // A name begins with a capital letter wherever its script has them.
        const match = isLowerCase(run[0]?.text ?? '')
          ? null
          : longest(
              run.map(({ slug }) => slug),
              where,
            );
        if (match !== null) {
          const [first, last] = [run[0], run[match.words - 1]];
          found.push({
            place: match.place,
            method: 'gazetteer',
            source,
            start: first?.start ?? 0,
            end: last?.end ?? 0,
          });
        }
        at += match?.words ?? 1;
      }
      return found;
    },
    inUrl(url, context = {}) {
      const found = new Map<number, PlaceMention>();
      const where = { url, ...context };
      for (const segment of segmentsOf(url)) {
        const whole = bySegment(segment, where);
        const parts = placeSlug(decodePercent(segment)).split('-');
        for (let at = 0; whole === null && at < parts.length && found.size < MAX_MENTIONS;) {
          const match = longest(parts.slice(at, at + MAX_WORDS), where);
          if (match !== null) found.set(match.place.id, mentionInUrl(match.place));
          at += match?.words ?? 1;
        }
        if (whole !== null) found.set(whole.id, mentionInUrl(whole));
      }
      return [...found.values()];
    },
  };
}

function addPlace(bySlug: Map<string, Place[]>, slug: string, place: Place): void {
  const known = bySlug.get(slug);
  if (known === undefined) bySlug.set(slug, [place]);
  else if (!known.some(({ id }) => id === place.id)) known.push(place);
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

function isLowerCase(word: string): boolean {
  return /^\p{Ll}/u.test(word);
}

function segmentsOf(url: string): readonly string[] {
  return (URL.parse(url)?.pathname ?? '').split('/').filter((segment) => segment !== '');
}

/** Best first; by identity where nothing tells them apart. */
export function rankPlaces<One extends Place>(places: readonly One[], context: PlaceContext): readonly One[] {
  const scores = new Map(places.map((place) => [place.id, placeScore(place, context)]));
  return places.toSorted((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || a.id - b.id);
}

export function placeScore({ id, countryCode, population }: Place, context: PlaceContext): number {
  const { hostCountry = null, url = '', sectionPlace = null, inTitle = false } = context;
  const code = countryCode?.toLowerCase() ?? null;
  const parsed = URL.parse(url);
  const isOwn = (country: string | null | undefined): boolean => code !== null && country?.toLowerCase() === code;
  const hints = [
    isOwn(hostCountry) ? 5 : 0,
    segmentsOf(url).some(isOwn) ? 4 : 0,
    isOwn(countryOfDomain(parsed?.hostname)) ? 3 : 0,
    sectionPlace === id ? 2 : 0,
    inTitle ? 1 : 0,
  ];
  return hints.reduce((sum, hint) => sum + hint, 0) + 0.5 * Math.log10((population ?? 0) + 1);
}

function countryOfDomain(host: string | undefined): string | undefined {
  const domain = host?.slice(host.lastIndexOf('.') + 1);
  return domain === 'uk' ? 'gb' : domain;
}
