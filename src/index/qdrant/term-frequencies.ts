// Document frequencies and the vocabulary, from samples in the database: one of the library, and one of each version that is large enough
// to differ from it. A term that the sample has hardly or not at all is rare or unknown, and the engine counts its pages.

import { openSample, type TermSample } from './term-sample.ts';
import { LIBRARY, type PointRecords, type SampleState } from '../../ports/point-records.ts';
import { type Condition, termId } from './filter-payload.ts';
import type { IndexedTerm, TermFrequencies } from '../../core/lexical/query/index-query.ts';
import { spellingRange } from '../../core/lexical/query/spelling.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import type { VersionId } from '../../core/model/run.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Collections } from './collections.ts';
import type { RequestOptions } from './nodes.ts';

export interface Frequencies {
  frequencies(
    collections: Collections,
    versions: readonly VersionId[],
    terms: readonly string[],
    options: RequestOptions,
  ): Promise<TermFrequencies>;
  suggest(versions: readonly VersionId[], word: string): Promise<readonly IndexedTerm[]>;
  /** The field of a point that matches if its page is of one of these versions. */
  versionConditions(versions: readonly VersionId[]): Promise<readonly Condition[]>;
  /** Reads the samples again with the next query: they were refreshed. */
  invalidate(): void;
}

/** How long sizes and samples are cached: a query does not read them each time. */
const CACHE_MS = 2000;
/** The samples of so many versions are added up; for more of them the library's is used. */
const MAX_ADDED_VERSIONS = 20;
const MAX_SAMPLES = 1000;
const MAX_SAMPLE_BYTES = 32_000_000;
/** A term that fewer chunks of a sample contain is counted by the engine: an estimate from so few is far off, and rare terms matter most. */
const MIN_SAMPLED = 5;
/** Pages of a rare term that the engine counts at most. */
const MAX_COUNTED_PAGES = 100;

export function createFrequencies(records: PointRecords): Frequencies {
  let cached: { readonly at: number; readonly states: Promise<States> } | null = null;
  const opened = createLruCache<string, TermSample>(MAX_SAMPLES, MAX_SAMPLE_BYTES);

  const readStates = (): Promise<States> => {
    const now = monotonicMs();
    if (cached === null || now - cached.at > CACHE_MS) cached = { at: now, states: readSampleStates(records) };
    cached.states.catch(() => (cached = null));
    return cached.states;
  };

  async function sampleOf({ version, sample }: SampleState): Promise<TermSample | null> {
    if (sample === null) return null;
    const key = `${version} ${sample.revision}`;
    const open = opened.get(key);
    if (open !== undefined) return open;
    const packed = await records.sample(version);
    if (packed === null) return null;
    const added = openSample(packed);
    opened.set(key, added, packed.terms.length);
    return added;
  }

  async function versionConditions(versions: readonly VersionId[]): Promise<readonly Condition[]> {
    const { byVersion } = await readStates();
    const wanted = new Set(versions);
    const isEverything = [...byVersion.keys()].every((version) => wanted.has(version));
    return isEverything ? [] : [{ key: 'version', match: { any: versions } }];
  }

  return {
    versionConditions,
    async frequencies(collections, versions, terms, options) {
      const counted = countedStates(await readStates(), versions);
      const samples = await Promise.all(counted.map(sampleOf));
      const isWhole = counted.every(({ chunks }, at) => samples[at]?.chunks === chunks);
      const estimates = terms.map((term) => estimateOf(term, counted, samples));
      const must = await versionConditions(versions);
      const docFrequencies = await Promise.all(
        estimates.map(async ({ sampled, chunks }, at) => {
          if (sampled >= (isWhole ? 1 : MIN_SAMPLED)) return chunks;
          const hits = await collections.pagesWith(termId(terms[at] ?? ''), must, MAX_COUNTED_PAGES, options);
          if (hits.length === MAX_COUNTED_PAGES) return Math.max(MAX_COUNTED_PAGES, chunks);
          const found = hits.length === 0 ? [] : await records.find(hits.map(({ id }) => id));
          return found.filter(({ isCurrent }) => isCurrent).length;
        }),
      );
      return { chunks: counted.reduce((sum, { chunks }) => sum + chunks, 0), docFrequencies };
    },
    async suggest(versions, word) {
      const samples = await Promise.all(countedStates(await readStates(), versions).map(sampleOf));
      return termsLike(word, samples);
    },
    invalidate: () => void (cached = null),
  };
}

function termsLike(word: string, samples: ReadonlyArray<TermSample | null>): readonly IndexedTerm[] {
  const { prefix, length } = spellingRange(word);
  const frequencies = new Map<string, number>();
  for (const sample of samples)
    for (const { term, docFrequency } of sample?.withPrefix(prefix, length) ?? [])
      frequencies.set(term, (frequencies.get(term) ?? 0) + docFrequency);
  return [...frequencies].map(([term, docFrequency]) => ({ term, docFrequency }));
}

interface Estimate {
  /** How many chunks of the samples contain the term. */
  readonly sampled: number;
  /** How many of all. */
  readonly chunks: number;
}

function estimateOf(
  term: string,
  counted: readonly SampleState[],
  samples: ReadonlyArray<TermSample | null>,
): Estimate {
  let sampled = 0;
  let chunks = 0;
  for (const [at, state] of counted.entries()) {
    const sample = samples[at] ?? null;
    const found = sample?.frequencyOf(term) ?? 0;
    sampled += found;
    if (found > 0 && sample !== null) chunks += (found * state.chunks) / sample.chunks;
  }
  return { sampled, chunks };
}

interface States {
  readonly library: SampleState;
  /** Every version that has chunks. */
  readonly byVersion: ReadonlyMap<VersionId, SampleState>;
}

async function readSampleStates(records: PointRecords): Promise<States> {
  const [library, ...versions] = await records.sampleStates();
  return {
    library: library ?? { version: LIBRARY, chunks: 0, isChanged: false, sample: null },
    byVersion: new Map(versions.map((state) => [state.version, state])),
  };
}

/** Versions with their own samples, or the library, which versions without one are like. */
function countedStates({ library, byVersion }: States, versions: readonly VersionId[]): readonly SampleState[] {
  const wanted = [...new Set(versions)].flatMap((version) => byVersion.get(version) ?? []);
  const areOwn = wanted.length <= MAX_ADDED_VERSIONS && wanted.every(({ sample }) => sample !== null);
  if (wanted.length === 0) return [];
  return areOwn && wanted.length < byVersion.size ? wanted : [library];
}
