// Renders pages in a Chromium, on this machine or elsewhere.

import { PinakesError } from '../core/model/errors.ts';
import { createSemaphore } from '../platform/semaphore.ts';
import { createBrowserPool, type PoolOptions } from './browser-pool.ts';
import { createRequestRates } from './request-rates.ts';
import type { Renderer, RenderOutcome, RenderRequest, SignPageRequest } from './port.ts';
import { renderPage, type RenderResultWithState, type RenderLimits } from './render-page.ts';

export interface ChromiumRendererOptions extends PoolOptions {
  readonly limits: RenderLimits;
  /** Pages at a time; further ones wait. */
  readonly concurrency: number;
  /** Between two requests of a source's pages to another site, after a burst. */
  readonly otherHostDelayMs: number;
  readonly sign: SignPageRequest | null;
}

export function createChromiumRenderer(options: ChromiumRendererOptions): Renderer {
  const pool = createBrowserPool(options);
  const turns = createSemaphore(options.concurrency);
  const rates = createRequestRates({ delayMs: options.otherHostDelayMs });

  async function attempt(request: RenderRequest, isIsolated: boolean, signal?: AbortSignal): Promise<Attempt> {
    const lease = await pool.lease(request.source, isIsolated);
    let end: RenderResultWithState | null = null;
    try {
      end = await renderPage(request, { ...lease, rates, limits: options.limits, sign: options.sign }, signal);
      return { ...end, isOutOfMemory: end.kind === 'crashed' && lease.isOutOfMemory() };
    } finally {
      await lease.release({ isStuck: end?.isStuck === true, isReusable: end?.kind === 'rendered' && !end.isStuck });
    }
  }

  return {
    async render(request, signal) {
      await turns.acquire(signal);
      try {
        // A page that took its browser with it, or was taken by another, has one more chance, where it harms no other.
        let end = await attempt(request, false, signal);
        if (end.kind === 'crashed') end = await attempt(request, true, signal);
        return outcomeOf(end);
      } catch (error) {
        if (signal?.aborted === true || !(error instanceof PinakesError)) throw error;
        return {
          kind: 'failed',
          code: error.code,
          reason: String(error.details['reason'] ?? ''),
          retryable: error.retryable,
        };
      } finally {
        turns.release();
      }
    },
    close: () => pool.close(),
  };
}

type Attempt = RenderResultWithState & { readonly isOutOfMemory: boolean };

function outcomeOf(end: Attempt): RenderOutcome {
  if (end.kind !== 'crashed') return end;
  const reason = end.isOutOfMemory ? 'it uses too much memory' : 'it crashes the browser';
  return { kind: 'failed', code: 'render.crashed', reason, retryable: false };
}
