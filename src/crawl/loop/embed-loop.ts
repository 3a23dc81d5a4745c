// The embed loop: computes the vector of every chunk text, after settlement and independent of it. A search never waits
// for it, and a kill costs at most the texts being embedded, which become due again when their lease expires.

import { PinakesError } from '../../core/model/errors.ts';
import { retryDelay } from '../../core/rate/retry-delay.ts';
import { batchByTokens } from '../../core/vector/batch-by-tokens.ts';
import { createBreakerGate, QUEUE_POLICY } from '../../core/rate/circuit-breaker.ts';
import { passageText } from '../../core/vector/passage-text.ts';
import { fingerprintOf } from '../../core/vector/space.ts';
import type { Embedder } from '../../embed/port.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import type { EmbeddingClaim, EmbeddingOutcome, EmbeddingSettlement, StoredSpace } from '../../store/port/vectors.ts';
import { createIdleSleep } from './idle-sleep.ts';
import { sleepOrAbort } from '../../platform/clock.ts';

export interface EmbedDeps {
  /** Id of the worker. */
  readonly id: string;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly log: Log;
  /** Receives what tells whether there is work to do, until the next call. */
  readonly onBusyChange?: (isBusy: () => boolean) => void;
  /** How long a text is leased; longer than a batch takes. */
  readonly leaseMs: number;
  readonly now: () => number;
  readonly random: () => number;
}

/** Some seconds of work per claim, so that little is lost when the process ends. */
const CLAIM_LIMIT = 64;
const BATCH_LIMITS = { maxRows: 32, maxTokens: 8192 };
const POLL_TEXTS_MS = 500;
const POLL_MODEL_MS = 10_000;
const MAINTAIN_INDEX_MS = 10_000;
const MAX_BACKOFF_MS = 60_000;
const RETRY_BASE_MS = 1000;
/** After so many failures a text is suspect: it fails for good if the model still embeds a plain one. */
const MAX_ATTEMPTS = 6;

export interface EmbedLoopDeps extends Omit<EmbedDeps, 'embedder'> {
  /** May fail, for example while a server is down; it is retried. */
  readonly openEmbedder: () => Promise<Embedder>;
}

/** Opens the model and embeds until the signal. A model that cannot be opened is logged once and retried. */
export async function embedLoop(deps: EmbedLoopDeps, signal: AbortSignal): Promise<void> {
  let lastWarning = '';
  while (!signal.aborted) {
    const isFirst = lastWarning === '';
    deps.onBusyChange?.(() => isFirst);
    const embedder = await deps.openEmbedder().catch((error: unknown) => {
      if (!(error instanceof PinakesError)) throw error;
      if (error.message !== lastWarning) deps.log.warn(error.message, { next: error.nextStep });
      lastWarning = error.message;
      return null;
    });
    if (embedder === null) {
      deps.onBusyChange?.(() => false);
      await sleepOrAbort(POLL_MODEL_MS, signal);
      continue;
    }
    try {
      await embedChunks({ ...deps, embedder }, signal);
    } finally {
      await embedder.close();
    }
    await sleepOrAbort(POLL_MODEL_MS, signal);
  }
}

/** Runs until the signal, or until the server turns out to have another model. */
export async function embedChunks(deps: EmbedDeps, signal: AbortSignal): Promise<void> {
  const space = await openSpace(deps, signal);
  if (space === null) return;
  const embedClaims = createClaimEmbedder(deps);
  const { wakeups } = deps.store;
  const idle = createIdleSleep(wakeups, 'texts', POLL_TEXTS_MS);
  const maintainIndex = createIndexMaintenance(deps, space, signal);
  while (!signal.aborted) {
    maintainIndex();
    const announced = wakeups.count('texts');
    const claims = await deps.store.vectors.claim(space.id, deps.id, CLAIM_LIMIT, deps.leaseMs);
    // Texts that are stored while the loop sleeps are work already.
    deps.onBusyChange?.(() => claims.length > 0 || wakeups.count('texts') > announced);
    if (claims.length === 0) {
      await idle.sleep(signal);
      continue;
    }
    idle.reset();
    const waitMs = await embedClaims(claims, signal);
    if (waitMs === null) return;
    await sleepOrAbort(waitMs, signal);
  }
}

/** In the background: while an index is built, which may take hours, texts are embedded. */
function createIndexMaintenance({ store, log, now }: EmbedDeps, space: StoredSpace, signal: AbortSignal): () => void {
  let isRunning = false;
  let nextAtMs = 0;
  return () => {
    if (isRunning || now() < nextAtMs) return;
    isRunning = true;
    void store.vectors
      .maintainIndex(space.id)
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn('the index of the vectors was not built', { error });
      })
      .finally(() => {
        isRunning = false;
        nextAtMs = now() + MAINTAIN_INDEX_MS;
      });
  };
}

/** If the database cannot search vectors, that is logged once and nothing is embedded. */
async function openSpace(
  { store, embedder, log, onBusyChange }: EmbedDeps,
  signal: AbortSignal,
): Promise<StoredSpace | null> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await store.vectors.requireSearch();
      const settings = { ...embedder.space };
      return await store.vectors.openSpace(fingerprintOf(embedder.space), embedder.space.dimensions, settings);
    } catch (error) {
      if (!(error instanceof PinakesError) || error.code !== 'embed.unsupported') throw error;
      onBusyChange?.(() => false);
      if (isFirst) log.warn(error.message, { next: error.nextStep });
      await sleepOrAbort(MAX_BACKOFF_MS, signal);
    }
  }
  return null;
}

type EmbedClaims = (claims: readonly EmbeddingClaim[], signal: AbortSignal) => Promise<number | null>;

/** Embeds and settles claims batch by batch; returns how long to wait, or null if this is the wrong model. */
function createClaimEmbedder({ store, embedder, log, now, random }: EmbedDeps): EmbedClaims {
  const gate = createBreakerGate(QUEUE_POLICY, now);
  let isOtherModel = false;

  async function outcomesOf(batch: readonly EmbeddingClaim[], signal: AbortSignal): Promise<EmbeddingOutcome[]> {
    if (signal.aborted || !gate.admit()) return batch.map(() => RELEASE);
    try {
      const texts = batch.map(({ headings, text }) => passageText(headings, text));
      const outcomes = await embedder.embed(texts, 'passage', signal);
      gate.succeeded();
      return outcomes.map((outcome) =>
        outcome.kind === 'embedded' ? outcome : { kind: 'failed', reason: outcome.reason },
      );
    } catch (error) {
      if (signal.aborted) return batch.map(() => RELEASE);
      if (!(error instanceof PinakesError)) throw error;
      isOtherModel = error.code === 'embed.dimensions';
      log.warn('embedding failed', { texts: batch.length, failures: gate.now().failures + 1, error });
      if (error.retryable && isSuspect(batch) && (await embedsPlainText(signal))) {
        gate.succeeded();
        return [{ kind: 'failed', reason: error.message }];
      }
      gate.failed({ retryable: error.retryable, waitMs: Number(error.details['waitMs'] ?? 0) });
      return batch.map(({ attempts }) => {
        return { kind: 'retry', inMs: retryDelay(attempts, random(), RETRY_BASE_MS), reason: error.message };
      });
    }
  }

  /** An outage fails no text, however long it lasts; only a text that fails alone while a plain one succeeds. */
  async function embedsPlainText(signal: AbortSignal): Promise<boolean> {
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
    return isOtherModel ? null : Math.min(MAX_BACKOFF_MS, gate.now().pausedForMs);
  };
}

function isSuspect([first, ...more]: readonly EmbeddingClaim[]): boolean {
  return more.length === 0 && (first?.attempts ?? 0) >= MAX_ATTEMPTS;
}

const PLAIN_TEXT = 'A plain sentence.';
const RELEASE: EmbeddingOutcome = { kind: 'released' };

/** A retried text is embedded alone, so that it cannot take others down with it. */
function batchesOf(claims: readonly EmbeddingClaim[], embedder: Embedder): EmbeddingClaim[][] {
  const firstAttempts = claims.filter(({ attempts }) => attempts === 1);
  const lengths = firstAttempts.map(({ text }) => embedder.countTokens(text));
  const batched = batchByTokens(lengths, BATCH_LIMITS).map((batch) => batch.flatMap((at) => firstAttempts[at] ?? []));
  return [...batched, ...claims.filter(({ attempts }) => attempts > 1).map((claim) => [claim])];
}
