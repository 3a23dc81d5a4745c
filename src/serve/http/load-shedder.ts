// Keeps the server alive under load: sheds requests by in-flight count and heap use.

import type { Context, MiddlewareHandler } from 'hono';
import { getHeapStatistics } from 'node:v8';
import { pinakesError } from '../../core/model/errors.ts';
import type { Principal } from '../../platform/access-token.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { STREAM_PATHS, type Env } from './auth-middleware.ts';
import { wantsDashboard } from './static-files.ts';

export interface Load {
  /** Admitted requests whose responses are not sent yet. Event streams and files of the dashboard do not count. */
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
  /**
   * Raises `http.overloaded`, or returns what to call once the response is sent or the client is gone. One token gets its share of the
   * requests in flight at most, so that the others find room.
   */
  enter(token: string | null): () => void;
  /** Raises `http.overloaded` if memory has run low since the request arrived. */
  readonly checkMemory: () => void;
  readonly inFlight: () => number;
  /** Requests rejected since the start. */
  readonly shed: () => number;
}

/** Reading the statistics takes some microseconds, and the heap does not fill faster than this. */
const POLL_EVERY_MS = 20;
const RETRY_AFTER_SECONDS = 1;
/** Share of the requests in flight that one token may have. */
const MAX_TOKEN_SHARE = 0.5;

export function createLoadShedder(maxInFlight: number): LoadShedder {
  const maxOfToken = Math.ceil(maxInFlight * MAX_TOKEN_SHARE);
  const ofToken = new Map<string, number>();
  let inFlight = 0;
  let shed = 0;
  let checkedAt = -Infinity;
  let memory = { usedBytes: 0, heapLimitBytes: 1 };

  function shedIfOverloaded(others: number): void {
    const now = monotonicMs();
    if (now - checkedAt >= POLL_EVERY_MS) {
      checkedAt = now;
      memory = memoryNow();
    }
    if (!shedVerdict({ inFlight: others, ...memory }, maxInFlight).admit) reject();
  }

  function reject(): never {
    shed += 1;
    throw pinakesError('http.overloaded', { seconds: RETRY_AFTER_SECONDS });
  }

  function count(token: string | null, change: 1 | -1): void {
    inFlight += change;
    if (token === null) return;
    const left = (ofToken.get(token) ?? 0) + change;
    if (left === 0) ofToken.delete(token);
    else ofToken.set(token, left);
  }

  return {
    enter(token) {
      shedIfOverloaded(inFlight);
      if (token !== null && (ofToken.get(token) ?? 0) >= maxOfToken) reject();
      count(token, 1);
      let isInFlight = true;
      return () => {
        if (isInFlight) count(token, -1);
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

/** What is crawled. A specification fixes `/health`; browsers get the dashboard there, and this at the other one. */
export const ACTIVITY_PATHS = ['/api/activity', '/health'] as const;

/** Monitoring must work above all when the server is overloaded. */
const NEVER_SHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', ...ACTIVITY_PATHS]);

/** Before authentication: memory concerns every request. */
export function shedOnLowMemory(shedder: LoadShedder): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!NEVER_SHED.has(c.req.path)) shedder.checkMemory();
    return next();
  };
}

/** After authentication, so that only callers who may use the library can fill it. */
export function limitInFlight(shedder: LoadShedder): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { path, method } = c.req;
    // A stream only waits for the next event, a file of the dashboard is in memory anyway, and a client that sends its body
    // slowly causes no work yet.
    const isFree =
      NEVER_SHED.has(path) ||
      STREAM_PATHS.has(path) ||
      method === 'POST' ||
      method === 'PATCH' ||
      wantsDashboard(c.req);
    if (!isFree) trackUntilSent(c, shedder);
    return next();
  };
}

/** A client that reads slowly keeps its response in memory, so a request lasts until its response is sent. */
export function trackUntilSent(c: Context<Env>, shedder: LoadShedder): void {
  const { outgoing } = c.env;
  // Paths that are public have no caller.
  const principal = c.get('principal') as Principal | undefined;
  const leave = shedder.enter(principal?.token ?? null);
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}
