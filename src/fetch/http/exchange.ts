// One request and its response, from the client's callbacks to one outcome.

import type { Buffer } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { type BodyBuffer, createBodyBuffer } from './body-buffer.ts';
import { decodeWireBody, encodingsOf } from './decode-wire-body.ts';
import type { FetchLimits } from './fetch-limits.ts';
import { failed, networkFailure } from './network-failure.ts';
import { firstValue, headOutcome, type ResponseHead } from './response-head.ts';
import type { Check } from './timeout-watchdog.ts';
import type { FetchOutcome, FetchRequest } from '../port.ts';

export interface Exchange {
  readonly handler: Dispatcher.DispatchHandler;
  /** Called a few times a second; ends a response that takes too long. */
  readonly check: Check;
  /** Ends the exchange from our side. */
  end(outcome: FetchOutcome): void;
}

export interface ExchangeDeps {
  readonly request: FetchRequest;
  readonly limits: FetchLimits;
  readonly nowMs: () => number;
  readonly wallMs: () => number;
  readonly settle: (outcome: FetchOutcome) => void;
}

/** How much of an unneeded response is read before the connection is dropped instead. */
const DRAIN_BYTES = 65_536;
const DRAIN_MS = 2000;

interface State {
  controller: Dispatcher.DispatchController | null;
  /** `draining`: the outcome is settled, and the rest is read so that the connection can be reused. */
  phase: 'waiting' | 'reading' | 'draining' | 'over';
  head: ResponseHead | null;
  body: BodyBuffer;
  wireBytes: number;
  interimBytes: number;
  readonly startedMs: number;
  lastByteMs: number;
  windowMs: number;
  windowBytes: number;
}

export function createExchange(deps: ExchangeDeps): Exchange {
  const startedMs = deps.nowMs();
  const state: State = {
    controller: null,
    phase: 'waiting',
    head: null,
    body: createBodyBuffer(),
    wireBytes: 0,
    interimBytes: 0,
    startedMs,
    lastByteMs: startedMs,
    windowMs: startedMs,
    windowBytes: 0,
  };

  const end = (outcome: FetchOutcome): void => {
    if (state.phase === 'over') return;
    const isSettled = state.phase === 'draining';
    state.phase = 'over';
    state.body = createBodyBuffer();
    state.controller?.abort(ABORT_REASON);
    if (!isSettled) deps.settle(outcome);
  };

  return {
    handler: {
      onRequestStart(controller) {
        state.controller = controller;
        if (state.phase === 'over') controller.abort(ABORT_REASON);
      },
      onResponseStart(_, status, headers) {
        onHead(state, { status, headers, firstByteMs: deps.nowMs() - startedMs }, deps, end);
      },
      onResponseData(_, chunk) {
        onData(state, chunk, deps, end);
      },
      onResponseEnd() {
        void finish(state, deps, false);
      },
      onResponseError(_, error) {
        const failure = networkFailure(error);
        // Before any response head, a body cannot have been cut short: two lengths contradict each other.
        const contradicts = state.head === null && failure.reason === 'incomplete-body';
        end(contradicts ? failed('fetch.malformed', 'two-lengths', false) : failure);
      },
    },
    check(nowMs) {
      const late = lateness(state, nowMs, deps);
      if (late !== null) end(failed('fetch.timeout', late, true, state.head?.status ?? null));
      return state.phase === 'over' ? 'over' : 'on';
    },
    end,
  };
}

const ABORT_REASON = new Error('the response is no longer needed');

type End = Exchange['end'];

function onHead(state: State, head: ResponseHead, deps: ExchangeDeps, end: End): void {
  if (state.phase !== 'waiting') return;
  if (head.status < 200) return onInterim(state, head, deps, end);
  state.head = head;
  state.lastByteMs = state.windowMs = deps.nowMs();
  const outcome = headOutcome(deps.request, head, {
    nowMs: deps.wallMs(),
    maxRetryAfterMs: deps.limits.maxRetryAfterMs,
  });
  if (outcome !== null) {
    state.phase = 'draining';
    return deps.settle(outcome);
  }
  state.phase = 'reading';
  const declared = Number(firstValue(head.headers['content-length']) ?? 0);
  if (declared > deps.limits.maxBodyBytes && deps.request.cutAtBytes === undefined) {
    end(failed('fetch.too-large', 'too-large', false, head.status));
  }
}

/** Early hints and the like: a few are fine. */
function onInterim(state: State, head: ResponseHead, deps: ExchangeDeps, end: End): void {
  state.interimBytes += 20;
  for (const [name, value] of Object.entries(head.headers))
    state.interimBytes += name.length + String(value).length + 4;
  if (state.interimBytes > deps.limits.maxHeaderBytes) end(failed('fetch.malformed', 'headers-too-large', false));
}

function onData(state: State, chunk: Buffer, deps: ExchangeDeps, end: End): void {
  state.wireBytes += chunk.length;
  state.windowBytes += chunk.length;
  state.lastByteMs = deps.nowMs();
  if (state.phase === 'draining') {
    if (state.wireBytes > DRAIN_BYTES) {
      state.phase = 'over';
      state.controller?.abort(ABORT_REASON);
    }
    return;
  }
  if (state.phase === 'reading') addToBody(state, chunk, deps, end);
}

function addToBody(state: State, chunk: Buffer, deps: ExchangeDeps, end: End): void {
  const status = state.head?.status ?? null;
  if (!state.body.add(chunk)) return end(failed('fetch.malformed', 'tiny-chunks', false, status));
  const { cutAtBytes } = deps.request;
  if (cutAtBytes !== undefined && state.wireBytes > cutAtBytes) {
    void finish(state, deps, true);
    state.controller?.abort(ABORT_REASON);
  } else if (cutAtBytes === undefined && state.wireBytes > deps.limits.maxBodyBytes) {
    end(failed('fetch.too-large', 'too-large', false, status));
  }
}

/** Always settles with an outcome, whatever happens. */
async function finish(state: State, deps: ExchangeDeps, wireIsCut: boolean): Promise<void> {
  try {
    await onEnd(state, deps, wireIsCut);
  } catch (error) {
    deps.settle(failed('internal', String(error), false, state.head?.status ?? null));
  }
}

async function onEnd(state: State, deps: ExchangeDeps, wireIsCut: boolean): Promise<void> {
  const { head, phase } = state;
  state.phase = 'over';
  if (phase !== 'reading' || head === null) return;
  const wire = state.body.take();
  const { request, limits } = deps;
  const decoded = await decodeWireBody(wire, encodingsOf(joinValues(head.headers['content-encoding'])), {
    maxBodyBytes: limits.maxBodyBytes,
    maxEncodings: limits.maxEncodings,
    cutAtBytes: request.cutAtBytes,
    wireIsCut,
  });
  if (decoded.kind === 'undecodable') {
    return deps.settle({ ...UNDECODABLE[decoded.reason], status: head.status });
  }
  deps.settle({
    kind: 'fetched',
    status: head.status,
    headers: flattenHeaders(head),
    mediaType: firstValue(head.headers['content-type']),
    body: decoded.body,
    truncated: decoded.truncated,
    etag: firstValue(head.headers['etag']),
    lastModified: firstValue(head.headers['last-modified']),
    wireBytes: state.wireBytes,
    firstByteMs: head.firstByteMs,
    totalMs: deps.nowMs() - state.startedMs,
  });
}

const UNDECODABLE = {
  'bad-encoding': failed('fetch.malformed', 'bad-encoding', false),
  'incomplete-body': failed('fetch.incomplete', 'incomplete-body', true),
  'too-large': failed('fetch.too-large', 'too-large', false),
  'unsupported-encoding': failed('fetch.malformed', 'unsupported-encoding', false),
} as const;

function lateness(state: State, nowMs: number, { limits, request }: ExchangeDeps): string | null {
  if (state.phase === 'over') return null;
  if (nowMs - state.startedMs > Math.min(limits.timeoutMs, request.timeoutMs ?? Infinity)) return 'total-timeout';
  if (state.phase === 'waiting') return nowMs - state.startedMs > limits.headerTimeoutMs ? 'header-timeout' : null;
  if (state.phase === 'draining') return nowMs - state.windowMs > DRAIN_MS ? 'drain-timeout' : null;
  if (nowMs - state.lastByteMs > limits.idleTimeoutMs) return 'idle-timeout';
  const spanMs = nowMs - state.windowMs;
  if (spanMs < limits.rateWindowMs) return null;
  const tooSlow = state.windowBytes < (limits.minBytesPerSecond * spanMs) / 1000;
  state.windowMs = nowMs;
  state.windowBytes = 0;
  return tooSlow ? 'too-slow' : null;
}

function flattenHeaders(head: ResponseHead): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(head.headers)) {
    const text = joinValues(value);
    if (text !== undefined) headers[name] = text;
  }
  return headers;
}

function joinValues(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
