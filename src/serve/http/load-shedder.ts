// Stands before every route that costs something: counts the requests under way, looks at the heap, and turns away what
// cannot be carried.

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { getHeapStatistics } from 'node:v8';
import { pinakesError } from '../../core/model/errors.ts';
import type { Env } from './auth-middleware.ts';
import { loadVerdict } from './load-verdict.ts';

export interface LoadGate {
  /** Raises `http.overloaded`, or returns what is to be called once the answer is sent or nobody waits for it. */
  enter(): () => void;
  /** Raises `http.overloaded` where memory has run short since the request came in. */
  readonly checkMemory: () => void;
  readonly inFlight: () => number;
  /** Requests turned away since the start. */
  readonly shed: () => number;
}

/** Looking costs some microseconds, and the heap does not fill faster. */
const LOOK_EVERY_MS = 20;
const COME_BACK_SECONDS = 1;

export function createLoadGate(maxInFlight: number): LoadGate {
  let inFlight = 0;
  let shed = 0;
  let lookedAt = -Infinity;
  let memory = { usedBytes: 0, heapLimitBytes: 1 };

  function judge(others: number): void {
    const now = performance.now();
    if (now - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = now;
      memory = memoryNow();
    }
    if (loadVerdict({ inFlight: others, ...memory }, maxInFlight).take) return;
    shed += 1;
    throw pinakesError('http.overloaded', { seconds: COME_BACK_SECONDS });
  }

  return {
    enter() {
      judge(inFlight);
      inFlight += 1;
      let isUnderWay = true;
      return () => {
        if (isUnderWay) inFlight -= 1;
        isUnderWay = false;
      };
    },
    checkMemory: () => judge(0),
    inFlight: () => inFlight,
    shed: () => shed,
  };
}

function memoryNow(): { usedBytes: number; heapLimitBytes: number } {
  const { used_heap_size, external_memory, heap_size_limit } = getHeapStatistics();
  return { usedBytes: used_heap_size + external_memory, heapLimitBytes: heap_size_limit };
}

/** Whoever watches a server must be answered above all when it has much to do. */
const ALWAYS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export function countIn(gate: LoadGate): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (ALWAYS.has(c.req.path)) return next();
    // A stream waits for nothing but the next event, and whoever sends a body slowly keeps nobody busy yet.
    if (c.req.path === '/events' || c.req.method === 'POST') gate.checkMemory();
    else enterUntilSent(c.env.outgoing, gate);
    return next();
  };
}

/** A client that reads slowly keeps its answer in memory, so a request lasts until its answer is gone. */
export function enterUntilSent(outgoing: HttpBindings['outgoing'], gate: LoadGate): void {
  const leave = gate.enter();
  if (outgoing.destroyed) leave();
  else outgoing.once('close', leave);
}
