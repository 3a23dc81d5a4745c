// An external index, which may be down. Crawling never waits for it, and a search falls back to the segments
// where they are kept.

import { PinakesError } from '../core/model/errors.ts';
import { createBreakerGate, type BreakerPolicy } from '../core/rate/circuit-breaker.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { SearchIndex } from './port.ts';

export interface ExternalIndex extends SearchIndex {
  /** Whether it holds all pages that were stored when it was first used. */
  isFilled(): Promise<boolean>;
}

export interface SegmentFallbackOptions {
  readonly external: ExternalIndex;
  /** Null if they are not kept: then a search fails while the engine is down. */
  readonly segments: SearchIndex | null;
  /** Called once when the engine stops responding, and with null when it does again. */
  readonly onState: (error: PinakesError | null) => void;
}

/** How long an answer about its state holds: a search does not ask each time. */
const STATE_MS = 1000;
/** While it is down, one search or step of indexing tries it so often. */
const DOWN_POLICY: BreakerPolicy = { failureThreshold: 1, openMs: 5000, maxOpenMs: 5000 };

export function withSegmentFallback({ external, segments, onState }: SegmentFallbackOptions): SearchIndex {
  const orElse = createFallback(onState);
  let filled = { at: -Infinity, value: Promise.resolve(false) };

  async function isFilled(): Promise<boolean> {
    const now = monotonicMs();
    if (now - filled.at > STATE_MS) filled = { at: now, value: external.isFilled() };
    return filled.value;
  }

  /** Segments are complete before an engine is that has just been set up. */
  async function search<T>(read: (index: SearchIndex) => Promise<T>): Promise<T> {
    if (segments === null) return orElse(() => read(external), null);
    if (!(await isFilled())) return read(segments);
    return orElse(
      () => read(external),
      () => read(segments),
    );
  }

  return {
    frequencies: (versions, terms, signal) => search((index) => index.frequencies(versions, terms, signal)),
    candidates: (query, signal) => search((index) => index.candidates(query, signal)),
    suggest: (versions, word) => search((index) => index.suggest(versions, word)),
    // The store has every vector, and finds the nearest where the engine cannot.
    nearest: async (query, signal) =>
      (await isFilled())
        ? orElse(
            () => external.nearest(query, signal),
            async () => null,
          )
        : null,
    unsentVectors: async (space) => ((await isFilled()) ? external.unsentVectors(space) : 0),
    async index(limit) {
      const inSegments = (await segments?.index(limit)) ?? 0;
      const inEngine = await orElse(
        () => external.index(limit),
        async () => 0,
      );
      return inSegments + inEngine;
    },
    async compact(budgetMs) {
      const areCompact = (await segments?.compact(budgetMs)) ?? true;
      const isCompact = await orElse(
        () => external.compact(budgetMs),
        async () => true,
      );
      return areCompact && isCompact;
    },
    async reindex(version) {
      await segments?.reindex(version);
      await external.reindex(version);
    },
    isIndexed: async (version) => ((await segments?.isIndexed(version)) ?? true) && (await external.isIndexed(version)),
    // Until the engine is complete, the segments are searched.
    problem: async () => (segments !== null && !(await isFilled()) ? null : external.problem()),
    lag: (maxPages) => external.lag(maxPages),
    verify: (sample) => external.verify(sample),
  };
}

type Fallback = <T>(work: () => Promise<T>, otherwise: (() => Promise<T>) | null) => Promise<T>;

/** Does something else while the engine is down, without asking it each time; fails if there is nothing else to do. */
function createFallback(onState: SegmentFallbackOptions['onState']): Fallback {
  const breaker = createBreakerGate(DOWN_POLICY, monotonicMs);
  let isDown = false;
  const setDown = (error: PinakesError | null): void => {
    if (isDown !== (error !== null)) onState(error);
    isDown = error !== null;
  };
  return async (work, otherwise) => {
    if (!breaker.admit() && otherwise !== null) return otherwise();
    try {
      const result = await work();
      breaker.succeeded();
      setDown(null);
      return result;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      breaker.failed({ retryable: true, waitMs: 0 });
      setDown(error);
      if (otherwise === null) throw error;
      return otherwise();
    }
  };
}

function isUnavailable(error: unknown): error is PinakesError {
  return error instanceof PinakesError && error.code === 'index.unavailable';
}
