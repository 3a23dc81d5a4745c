// Keeps the server responsive under load: sheds requests by in-flight count and heap use, and starts only a few per tick of
// the event loop.

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { getHeapStatistics } from 'node:v8';
import { pinakesError } from '../../core/model/errors.ts';
import type { Env } from './auth-middleware.ts';

export interface Load {
  /** Requests whose responses are not sent yet. Event streams do not count: they wait for nothing. */
  readonly inFlight: number;
  /** Heap use, plus the buffers that the heap holds outside. */
  readonly usedBytes: number;
  readonly heapLimitBytes: number;
}

export type ShedVerdict = { readonly admit: true } | { readonly admit: false; readonly reason: 'requests' | 'memory' };

/** Share of the old generation that live objects and garbage may fill. The rest is for requests already in flight. */
const MAX_HEAP_SHARE = 0.75;
/** The heap limit includes three semi-spaces of the young generation, which the statistics do not report. */
const YOUNG_GENERATION_BYTES = 3 * 64 * 2 ** 20;

/**
 * Whether one more request may be admitted. A server that admits more than it can handle dies with all of its requests; one
 * that rejects in time loses nothing, because the client retries.
 */
export function shedVerdict({ inFlight, usedBytes, heapLimitBytes }: Load, maxInFlight: number): ShedVerdict {
  if (inFlight >= maxInFlight) return { admit: false, reason: 'requests' };
  const oldGenerationBytes = Math.max(heapLimitBytes - YOUNG_GENERATION_BYTES, heapLimitBytes / 2);
  if (usedBytes > MAX_HEAP_SHARE * oldGenerationBytes) return { admit: false, reason: 'memory' };
  return { admit: true };
}

export interface LoadShedder {
  /** Raises `http.overloaded`, or returns what to call once the response is sent or the client is gone. */
  enter(): () => void;
  /** Raises `http.overloaded` if memory has run low since the request arrived. */
  readonly checkMemory: () => void;
  readonly inFlight: () => number;
  /** Requests rejected since the start. */
  readonly shed: () => number;
}

/** Reading the statistics takes some microseconds, and the heap does not fill faster than this. */
const POLL_EVERY_MS = 20;
const RETRY_AFTER_SECONDS = 1;

export function createLoadShedder(maxInFlight: number): LoadShedder {
  let inFlight = 0;
  let shed = 0;
  let checkedAt = -Infinity;
  let memory = { usedBytes: 0, heapLimitBytes: 1 };

  function shedIfOverloaded(others: number): void {
    const now = performance.now();
    if (now - checkedAt >= POLL_EVERY_MS) {
      checkedAt = now;
      memory = memoryNow();
    }
    if (shedVerdict({ inFlight: others, ...memory }, maxInFlight).admit) return;
    shed += 1;
    throw pinakesError('http.overloaded', { seconds: RETRY_AFTER_SECONDS });
  }

  return {
    enter() {
      shedIfOverloaded(inFlight);
      inFlight += 1;
      let isInFlight = true;
      return () => {
        if (isInFlight) inFlight -= 1;
        isInFlight = false;
      };
    },
    checkMemory: () => shedIfOverloaded(0),
    inFlight: () => inFlight,
    shed: () => shed,
  };
}

function memoryNow(): { usedBytes: number; heapLimitBytes: number } {
  const { used_heap_size, external_memory, heap_size_limit } = getHeapStatistics();
  return { usedBytes: used_heap_size + external_memory, heapLimitBytes: heap_size_limit };
}

/** Monitoring must work above all when the server is overloaded. */
const NEVER_SHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export function loadShedding(shedder: LoadShedder): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (NEVER_SHED.has(c.req.path)) return next();
    // A stream only waits for the next event, and a client that sends its body slowly causes no work yet.
    if (c.req.path === '/events' || c.req.method === 'POST') shedder.checkMemory();
    else trackUntilSent(c.env.outgoing, shedder);
    return next();
  };
}

/** A client that reads slowly keeps its response in memory, so a request lasts until its response is sent. */
export function trackUntilSent(outgoing: HttpBindings['outgoing'], shedder: LoadShedder): void {
  const leave = shedder.enter();
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}

type Start<Args extends readonly unknown[]> = (...args: Args) => void;

/**
 * Starts at most `limit` calls per tick of the event loop, in order: when a thousand requests arrive at once, other work,
 * the first responses included, is not held up by all of them.
 */
export function limitPerTick<Args extends readonly unknown[]>(limit: number, start: Start<Args>): Start<Args> {
  const waiting: Args[] = [];
  let left = limit;
  let isTickScheduled = false;

  const onNextTick = (): void => {
    left = limit;
    isTickScheduled = false;
    for (const args of waiting.splice(0, limit)) startNow(args);
  };
  const startNow = (args: Args): void => {
    left -= 1;
    if (!isTickScheduled) setImmediate(onNextTick);
    isTickScheduled = true;
    start(...args);
  };
  return (...args) => {
    if (left > 0 && waiting.length === 0) startNow(args);
    else waiting.push(args);
  };
}
