// Very many requests at one moment, and what became of each.

import { Agent, request, type ClientRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Crowd {
  readonly requests: number;
  readonly path: string;
  /** Sent with POST, where there is one. Everybody holds back its last byte until all have sent the rest. */
  readonly body?: string;
}

export interface CrowdOutcome {
  /** How often each status came; 0 where the connection broke. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Answers with 503 that do not say when to come back. */
  readonly mute: number;
}

/** Nobody waits longer for one answer. */
const PATIENCE_MS = 60_000;
const LONGEST_SENDING_MS = 5000;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function sendCrowd(port: number, crowd: Crowd): Promise<CrowdOutcome> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const statuses = new Map<number, number>();
  const all = Array.from({ length: crowd.requests }, () => begin(port, crowd, agent));
  await Promise.race([Promise.all(all.map(({ sent }) => sent)), wait(LONGEST_SENDING_MS)]);
  for (const { end } of all) end();
  const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
  for (const { status } of outcomes) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  agent.destroy();
  return { statuses, mute: outcomes.filter(({ isMute }) => isMute).length };
}

interface Outcome {
  readonly status: number;
  readonly isMute: boolean;
}

interface Asking {
  /** All but the last byte is on its way, or there was an answer already. */
  readonly sent: Promise<void>;
  readonly end: () => void;
  readonly outcome: Promise<Outcome>;
}

function begin(port: number, { path, body }: Crowd, agent: Agent): Asking {
  const sent = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<Outcome>();
  // The first word counts: after an early answer the connection may break.
  const settle = (status: number, isMute = false): void => {
    outcome.resolve({ status, isMute });
    sent.resolve();
  };
  const method = body === undefined ? 'GET' : 'POST';
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const asked: ClientRequest = request({ port, host: '127.0.0.1', path, method, headers: HEADERS, agent, signal });
  asked.on('error', () => settle(0));
  asked.once('response', (response) => {
    const { statusCode = 0, headers } = response;
    settle(statusCode, statusCode === 503 && !(Number(headers['retry-after']) >= 1));
    response.on('error', () => undefined).resume();
  });
  if (body === undefined) {
    asked.end();
    sent.resolve();
    return { sent: sent.promise, end: () => undefined, outcome: outcome.promise };
  }
  asked.write(body.slice(0, -1), () => sent.resolve());
  return { sent: sent.promise, end: () => void asked.end(body.slice(-1)), outcome: outcome.promise };
}
