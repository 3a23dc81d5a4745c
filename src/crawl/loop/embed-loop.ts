// Gives every chunk text its vector, after settlement and apart from it: a search never waits for this, and a kill at any
// point costs at most the texts that were being embedded, which come back when their lease ends.

import { PinakesError } from '../../core/model/errors.ts';
import { retryDelay } from '../../core/rate/retry-delay.ts';
import { batchByTokens } from '../../core/vector/batch-by-tokens.ts';
import { afterFailure, CLOSED, QUEUE_POLICY, restMs } from '../../core/rate/circuit-breaker.ts';
import { passageText } from '../../core/vector/passage-text.ts';
import { fingerprintOf } from '../../core/vector/space.ts';
import type { Embedder } from '../../embed/port.ts';
import type { Log } from '../../platform/log.ts';
import type { EmbeddingClaim, EmbeddingOutcome, EmbeddingSettlement, Space, Store } from '../../store/port.ts';
import { restFor } from '../context/retry.ts';

export interface EmbedDeps {
  /** Of the worker. */
  readonly id: string;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly log: Log;
  /** Told whether there is something to do. */
  readonly tellBusy?: (isBusy: boolean) => void;
  /** How long a text may be held; longer than a batch takes. */
  readonly leaseMs: number;
  readonly now: () => number;
  readonly random: () => number;
}

/** Taken at once: some seconds of work, so that little is lost when the process ends. */
const CLAIMED_TEXTS = 64;
const BATCH = { maxRows: 32, maxTokens: 8192 };
const LOOK_FOR_TEXTS_MS = 500;
const LOOK_FOR_MODEL_MS = 10_000;
const LONGEST_REST_MS = 60_000;
const RETRY_BASE_MS = 1000;
/** A text that failed so often is suspected: it is given up where the model answers to a plain one. */
const MAX_ATTEMPTS = 6;

export interface KeepEmbeddingDeps extends Omit<EmbedDeps, 'embedder'> {
  /** May fail, as when a server is down; it is tried again. */
  readonly openEmbedder: () => Promise<Embedder>;
}

/** Opens the model and works, until the signal. A model that cannot be opened is told once, and looked for again. */
export async function keepEmbedding(deps: KeepEmbeddingDeps, signal: AbortSignal): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    deps.tellBusy?.(told === '');
    const embedder = await deps.openEmbedder().catch((error: unknown) => {
      if (!(error instanceof PinakesError)) throw error;
      if (error.message !== told) deps.log.warn(error.message, { next: error.nextStep });
      told = error.message;
      return null;
    });
    if (embedder === null) {
      deps.tellBusy?.(false);
      await restFor(LOOK_FOR_MODEL_MS, signal);
      continue;
    }
    try {
      await embedChunks({ ...deps, embedder }, signal);
    } finally {
      await embedder.close();
    }
    await restFor(LOOK_FOR_MODEL_MS, signal);
  }
}

/** Works until the signal, or until the model turns out to be another one. */
export async function embedChunks(deps: EmbedDeps, signal: AbortSignal): Promise<void> {
  const space = await openSpace(deps, signal);
  if (space === null) return;
  const round = createRound(deps);
  while (!signal.aborted) {
    const claims = await deps.store.vectors.claim(space.id, deps.id, CLAIMED_TEXTS, deps.leaseMs);
    deps.tellBusy?.(claims.length > 0);
    const rest = claims.length === 0 ? LOOK_FOR_TEXTS_MS : await round(claims, signal);
    if (rest === null) return;
    await restFor(rest, signal);
  }
}

/** Where the database cannot search vectors, that is said once, and nothing is embedded in vain. */
async function openSpace({ store, embedder, log, tellBusy }: EmbedDeps, signal: AbortSignal): Promise<Space | null> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await store.vectors.requireSearch();
      const settings = { ...embedder.space };
      return await store.vectors.openSpace(fingerprintOf(embedder.space), embedder.space.dimensions, settings);
    } catch (error) {
      if (!(error instanceof PinakesError) || error.code !== 'embed.unsupported') throw error;
      tellBusy?.(false);
      if (isFirst) log.warn(error.message, { next: error.nextStep });
      await restFor(LONGEST_REST_MS, signal);
    }
  }
  return null;
}

type Round = (claims: readonly EmbeddingClaim[], signal: AbortSignal) => Promise<number | null>;

/** Embeds and settles claims, batch by batch; answers with how long to rest, or null where this is the wrong model. */
function createRound({ store, embedder, log, now, random }: EmbedDeps): Round {
  let breaker = CLOSED;
  let isOther = false;

  async function outcomesOf(batch: readonly EmbeddingClaim[], signal: AbortSignal): Promise<EmbeddingOutcome[]> {
    if (signal.aborted || restMs(breaker, now()) > 0) return batch.map(() => RELEASED);
    try {
      const texts = batch.map(({ headings, text }) => passageText(headings, text));
      const outcomes = await embedder.embed(texts, 'passage', signal);
      breaker = CLOSED;
      return outcomes.map((outcome) =>
        outcome.kind === 'embedded' ? outcome : { kind: 'failed', reason: outcome.reason },
      );
    } catch (error) {
      if (signal.aborted) return batch.map(() => RELEASED);
      if (!(error instanceof PinakesError)) throw error;
      const waitMs = Number(error.details['waitMs'] ?? 0);
      breaker = afterFailure(breaker, now(), { retryable: error.retryable, waitMs }, QUEUE_POLICY);
      isOther = error.code === 'embed.dimensions';
      log.warn('texts were not embedded', { texts: batch.length, failures: breaker.failures, error });
      if (error.retryable && isSuspect(batch) && (await answersPlainText(signal))) {
        breaker = CLOSED;
        return [{ kind: 'failed', reason: error.message }];
      }
      return batch.map(({ attempts }) => {
        return { kind: 'retry', inMs: retryDelay(attempts, random(), RETRY_BASE_MS), reason: error.message };
      });
    }
  }

  /** An outage fails no text, however long it lasts: only a text that fails alone while a plain one does not. */
  async function answersPlainText(signal: AbortSignal): Promise<boolean> {
    try {
      const [outcome] = await embedder.embed([PLAIN_TEXT], 'passage', signal);
      return outcome?.kind === 'embedded';
    } catch {
      return false;
    }
  }

  return async (claims, signal) => {
    for (const batch of batchesOf(claims, embedder)) {
      const outcomes = await outcomesOf(batch, signal);
      const settlements = batch.flatMap((claim, at): EmbeddingSettlement[] => {
        const outcome = outcomes[at];
        return outcome === undefined ? [] : [{ claim, outcome }];
      });
      await store.vectors.settle(settlements);
    }
    return isOther ? null : Math.min(LONGEST_REST_MS, restMs(breaker, now()));
  };
}

function isSuspect([first, ...more]: readonly EmbeddingClaim[]): boolean {
  return more.length === 0 && (first?.attempts ?? 0) >= MAX_ATTEMPTS;
}

const PLAIN_TEXT = 'A plain sentence.';
const RELEASED: EmbeddingOutcome = { kind: 'released' };

/** A text that came back is asked alone, so that it cannot take others down with it. */
function batchesOf(claims: readonly EmbeddingClaim[], embedder: Embedder): EmbeddingClaim[][] {
  const fresh = claims.filter(({ attempts }) => attempts === 1);
  const lengths = fresh.map(({ text }) => embedder.countTokens(text));
  const together = batchByTokens(lengths, BATCH).map((batch) => batch.flatMap((at) => fresh[at] ?? []));
  return [...together, ...claims.filter(({ attempts }) => attempts > 1).map((claim) => [claim])];
}
