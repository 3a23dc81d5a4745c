// Very many requests at one moment, and what became of each.

import { Agent, request } from 'node:http';

export interface Crowd {
  readonly requests: number;
  readonly path: string;
  /** Sent with POST, where there is one. */
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

export async function sendCrowd(port: number, { requests, path, body }: Crowd): Promise<CrowdOutcome> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const statuses = new Map<number, number>();
  let mute = 0;
  const ask = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const note = (status: number): void => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      resolve();
    };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const method = body === undefined ? 'GET' : 'POST';
    request({ port, host: '127.0.0.1', path, method, headers, agent, signal: AbortSignal.timeout(PATIENCE_MS) })
      .once('response', (response) => {
        const { statusCode = 0, headers: said } = response;
        if (statusCode === 503 && !(Number(said['retry-after']) >= 1)) mute += 1;
        response
          .once('end', () => note(statusCode))
          .once('error', () => note(0))
          .resume();
      })
      .once('error', () => note(0))
      .end(body);
    await promise;
  };
  await Promise.all(Array.from({ length: requests }, ask));
  agent.destroy();
  return { statuses, mute };
}
