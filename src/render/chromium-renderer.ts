// Renders pages in a Chromium, on this machine or elsewhere.

import { PinakesError } from '../core/model/errors.ts';
import { createBrowserPool, type PoolOptions } from './browser-pool.ts';
import type { Renderer, RenderOutcome, RenderRequest } from './port.ts';
import { renderPage, type PageEnd, type RenderLimits } from './render-page.ts';

export interface ChromiumRendererOptions extends PoolOptions {
  readonly limits: RenderLimits;
  /** Pages at a time; further ones wait. */
  readonly concurrency: number;
}

export function createChromiumRenderer(options: ChromiumRendererOptions): Renderer {
  const pool = createBrowserPool(options);
  const turns = createTurns(options.concurrency);

  async function attempt(request: RenderRequest, isAlone: boolean, signal?: AbortSignal): Promise<Attempt> {
    const lease = await pool.lease(request.source, isAlone);
    let end: PageEnd | null = null;
    try {
      end = await renderPage(request, { ...lease, limits: options.limits }, signal);
      return { ...end, isOutOfMemory: end.kind === 'crashed' && lease.isOutOfMemory() };
    } finally {
      await lease.release({ isStuck: end?.isStuck === true, isReusable: end?.kind === 'rendered' && !end.isStuck });
    }
  }

  return {
    async render(request, signal) {
      const done = await turns.take(signal);
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
          reason: String(error.details['why'] ?? ''),
          retryable: error.retryable,
        };
      } finally {
        done();
      }
    },
    close: () => pool.close(),
  };
}

type Attempt = PageEnd & { readonly isOutOfMemory: boolean };

function outcomeOf(end: Attempt): RenderOutcome {
  if (end.kind !== 'crashed') return end;
  const reason = end.isOutOfMemory ? 'it uses too much memory' : 'it crashes the browser';
  return { kind: 'failed', code: 'render.crashed', reason, retryable: false };
}

interface Turns {
  /** Resolves with what ends the turn. */
  take(signal?: AbortSignal): Promise<() => void>;
}

function createTurns(count: number): Turns {
  const waiting: Array<() => void> = [];
  let free = count;
  const done = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return done;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => {
        const at = waiting.indexOf(resolve);
        if (at === -1) return;
        waiting.splice(at, 1);
        reject(signal?.reason as Error);
      };
      waiting.push(resolve);
      signal?.addEventListener('abort', onAbort, { once: true });
      await promise.finally(() => signal?.removeEventListener('abort', onAbort));
      return done;
    },
  };
}
