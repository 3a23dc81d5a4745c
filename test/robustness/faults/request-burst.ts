// Very many concurrent requests, and the outcome of each.

import { Agent, request, type ClientRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Burst {
  readonly requests: number;
  readonly path: string;
  /** Sent with POST, if set. Each request holds back its last byte until all have sent the rest. */
  readonly body?: string;
}

export interface BurstOutcome {
  /** How often each status occurred; 0 for a broken connection. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Responses with 503 and no Retry-After. */
  readonly withoutRetryAfter: number;
}

/** Timeout of one response. */
const TIMEOUT_MS = 60_000;
const MAX_SENDING_MS = 5000;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function sendBurst(port: number, burst: Burst): Promise<BurstOutcome> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const statuses = new Map<number, number>();
  const all = Array.from({ length: burst.requests }, () => startRequest(port, burst, agent));
  await Promise.race([Promise.all(all.map(({ sent }) => sent)), wait(MAX_SENDING_MS)]);
  for (const { end } of all) end();
  const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
  for (const { status } of outcomes) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  agent.destroy();
  return { statuses, withoutRetryAfter: outcomes.filter(({ lacksRetryAfter }) => lacksRetryAfter).length };
}

interface Outcome {
  readonly status: number;
  readonly lacksRetryAfter: boolean;
}

interface PendingRequest {
  /** All but the last byte was sent, or there was an early response. */
  readonly sent: Promise<void>;
  readonly end: () => void;
  readonly outcome: Promise<Outcome>;
}

function startRequest(port: number, { path, body }: Burst, agent: Agent): PendingRequest {
  const sent = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<Outcome>();
  // The first response counts: after an early one the connection may break.
  const settle = (status: number, lacksRetryAfter = false): void => {
    outcome.resolve({ status, lacksRetryAfter });
    sent.resolve();
  };
  const method = body === undefined ? 'GET' : 'POST';
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const pending: ClientRequest = request({ port, host: '127.0.0.1', path, method, headers: HEADERS, agent, signal });
  pending.on('error', () => settle(0));
  pending.once('response', (response) => {
    const { statusCode = 0, headers } = response;
    settle(statusCode, statusCode === 503 && !(Number(headers['retry-after']) >= 1));
    response.on('error', () => undefined).resume();
  });
  if (body === undefined) {
    pending.end();
    sent.resolve();
    return { sent: sent.promise, end: () => undefined, outcome: outcome.promise };
  }
  pending.write(body.slice(0, -1), () => sent.resolve());
  return { sent: sent.promise, end: () => void pending.end(body.slice(-1)), outcome: outcome.promise };
}
