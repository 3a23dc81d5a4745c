// One node of the engine over REST.
//
// Our own client: the official one takes 3.5 to 5 ms of CPU time for each request, this one 1.3 (docs/decisions/0063).

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createBreakerGate, type BreakerGate, type BreakerPolicy } from '../../core/rate/circuit-breaker.ts';
import { deadline, monotonicMs } from '../../platform/clock.ts';

/** May be sent more than once, so it must be idempotent. */
export interface NodeRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With its leading slash. */
  readonly path: string;
  readonly body?: unknown;
}

export interface Answer {
  readonly result?: unknown;
  readonly version?: string;
}

export interface Node {
  readonly url: string;
  readonly send: (request: NodeRequest, signal: AbortSignal) => Promise<Answer>;
  /** A node that failed gets no request, unless all have failed, until it has answered a trial. */
  readonly breaker: BreakerGate;
  /** Whether the last request could not even be sent. */
  isUnreachable: boolean;
  /** When it last answered a read: then it does not hang. */
  answeredAt: number;
}

/** The others answer in the meantime, so a node is suspended at its first failure. */
const NODE_POLICY: BreakerPolicy = { failureThreshold: 1, openMs: 500, maxOpenMs: 5000 };

export function openNode(url: string, apiKey: string | undefined): Node {
  const headers = { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) };
  const send = createSender(url, headers);
  const node: Node = {
    url,
    breaker: createBreakerGate(NODE_POLICY, monotonicMs),
    isUnreachable: false,
    answeredAt: -Infinity,
    async send(request, signal) {
      try {
        const answer = await send(request, signal);
        node.isUnreachable = false;
        return answer;
      } catch (error) {
        node.isUnreachable = isUnreachable(error);
        throw error;
      }
    },
  };
  return node;
}

/** A node answered with an error. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function statusOf(error: unknown): number {
  return error instanceof NodeError ? error.status : 0;
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND)$/.test(String(error.code))
  );
}

const MAX_CONNECTIONS = 64;

function createSender(url: string, headers: Readonly<Record<string, string>>): Node['send'] {
  const { protocol, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const limits = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new HttpsAgent(limits) : new HttpAgent(limits);
  return async ({ method, path, body }, signal) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { method, agent, signal, headers: { ...headers, 'content-length': Buffer.byteLength(text) } };
    const request = (isSecure ? httpsRequest : httpRequest)(new URL(base + path, url), options, resolve);
    request.on('error', reject);
    request.end(text);
    const response = await promise;
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return answerOf(response.statusCode ?? 0, Buffer.concat(parts).toString());
  };
}

interface ErrorAnswer {
  readonly status?: string | { readonly error?: string };
}

function answerOf(status: number, text: string): Answer {
  const isOk = status >= 200 && status < 300;
  try {
    const answer = JSON.parse(text) as Answer & ErrorAnswer;
    if (isOk) return answer;
    throw new NodeError(status, (typeof answer.status === 'object' && answer.status.error) || `status ${status}`);
  } catch (error) {
    if (error instanceof NodeError) throw error;
    throw new NodeError(status, `status ${status} and no JSON`);
  }
}

const CHECK_MS = 1000;

/** Whether the process responds at all, however busy it is. */
export function isAlive(node: Node): Promise<boolean> {
  return check(node, '/livez');
}

/**
 * Closes the circuit breaker of a node whose pause is over, once it has caught up with the cluster and has answered the request that
 * another node gets now: a node that is cut off from the others reports that it is ready, too. No request waits for this trial.
 */
export function closeBreaker(node: Node, request: NodeRequest): void {
  const { breaker } = node;
  if (breaker.now().breaker === 'closed' || !breaker.admit()) return;
  const trial = async (): Promise<void> => {
    if (!(await check(node, '/readyz'))) throw new Error(`${node.url} is not ready`);
    await node.send(request, deadline(CHECK_MS));
  };
  trial().then(
    () => breaker.succeeded(),
    () => breaker.failed({ retryable: true, waitMs: 0 }),
  );
}

/** The response is text. A proxy in front of the node may not pass the path on, so a refusal counts as a response. */
async function check({ send }: Node, path: string): Promise<boolean> {
  return send({ method: 'GET', path }, deadline(CHECK_MS)).then(
    () => true,
    (error: unknown) => statusOf(error) >= 200 && statusOf(error) < 500,
  );
}
