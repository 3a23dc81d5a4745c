// Requests to a cluster: any node answers any request, so one that fails, hangs or is overloaded is left alone for a while, and
// its requests go to another.
//
// A client of our own: the official one takes 3.5 to 5 ms of processor time for each request, this one 1.3 (docs/decisions/0063).

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';

/** The API key is sent to each of the nodes. */
export interface NodesOptions {
  readonly urls: readonly string[];
  readonly apiKey: string | undefined;
}

/** May be sent more than once, so it must be idempotent. */
export interface NodeRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With its leading slash. */
  readonly path: string;
  readonly body?: unknown;
}

export interface RequestOptions {
  /** For all attempts together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Nodes {
  /** The `result` of the answer. Raises `index.unavailable` if no node answered in time, and `index.rejected` if one refused. */
  send<T>(request: NodeRequest, options: RequestOptions): Promise<T>;
  /** Version of each node, or why it does not answer. */
  versions(options: RequestOptions): Promise<ReadonlyArray<{ readonly url: string; readonly version: string | Error }>>;
}

export function openNodes({ urls, apiKey }: NodesOptions): Nodes {
  const headers = { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) };
  const nodes = urls.map((url) => ({ url, ask: createAsk(url, headers), pausedUntil: 0, isUnreachable: false }));
  return {
    send: (request, options) => sendToAny(nodes, request, options),
    versions: ({ timeoutMs, signal }) =>
      Promise.all(
        nodes.map(async ({ url, ask }) => {
          const answer = ask({ method: 'GET', path: '/' }, attemptSignal(timeoutMs, signal));
          const version = await answer.then(({ version: found }) => String(found), asError);
          return { url, version };
        }),
      ),
  };
}

interface Answer {
  readonly result?: unknown;
  readonly status?: string | { readonly error?: string };
  readonly version?: string;
}

type Ask = (request: NodeRequest, signal: AbortSignal) => Promise<Answer>;

interface Node {
  readonly url: string;
  readonly ask: Ask;
  pausedUntil: number;
  /** Whether the last request could not even be sent. */
  isUnreachable: boolean;
}

/** A node answered with an error. */
class NodeError extends Error {
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

const MAX_CONNECTIONS = 64;

function createAsk(url: string, headers: Readonly<Record<string, string>>): Ask {
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

function answerOf(status: number, text: string): Answer {
  const isOk = status >= 200 && status < 300;
  try {
    const answer = JSON.parse(text) as Answer;
    if (isOk) return answer;
    throw new NodeError(status, (typeof answer.status === 'object' && answer.status.error) || `status ${status}`);
  } catch (error) {
    if (error instanceof NodeError) throw error;
    throw new NodeError(status, `status ${status} and no JSON`);
  }
}

/** After which another node is asked; doubled with each attempt, so that a slow answer is not given up forever. */
const FIRST_ATTEMPT_MS = 1000;
/** A node that failed is asked again after this time, or earlier if all have failed. */
const PAUSE_MS = 5000;
/** Nodes that all refuse connections are given up after this time, however long an answer may take: they may be down for hours. */
const UNREACHABLE_MS = 2000;
const RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 1000;

async function sendToAny<T>(nodes: Node[], request: NodeRequest, { timeoutMs, signal }: RequestOptions): Promise<T> {
  const begun = performance.now();
  const end = begun + timeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    const node = nextNode(nodes);
    const left = end - performance.now();
    const attemptMs = nodes.length === 1 ? left : Math.min(left, FIRST_ATTEMPT_MS * 2 ** attempt);
    try {
      const { result } = await node.ask(request, attemptSignal(attemptMs, signal));
      node.pausedUntil = 0;
      node.isUnreachable = false;
      return result as T;
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) throw refusal(nodes, error);
      node.pausedUntil = performance.now() + PAUSE_MS;
      node.isUnreachable = isUnreachable(error);
      const delay = Math.min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * 2 ** attempt);
      const areAllDown = nodes.every(({ pausedUntil }) => pausedUntil > performance.now());
      const isNobodyThere = nodes.every((one) => one.isUnreachable);
      const lastRetry = isNobodyThere ? Math.min(end, begun + UNREACHABLE_MS) : end;
      if (performance.now() + delay >= lastRetry) throw unavailable(nodes, error);
      if (areAllDown) await sleep(delay, undefined, { signal });
    }
  }
}

/** It goes to the end of the list. Those that work come first; if none does, the one that has been left alone for longest. */
function nextNode(nodes: Node[]): Node {
  const now = performance.now();
  const usable = nodes.findIndex(({ pausedUntil }) => pausedUntil <= now);
  const pauses = nodes.map(({ pausedUntil }) => pausedUntil);
  const [next] = nodes.splice(usable === -1 ? pauses.indexOf(Math.min(...pauses)) : usable, 1);
  if (next === undefined) throw new Error('no node is configured');
  nodes.push(next);
  return next;
}

function attemptSignal(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

const NOT_FOUND = 404;

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND)$/.test(String(error.code))
  );
}

/** The request itself is wrong, so every node would refuse it. Too many requests (429) and timeouts (408) are not a refusal. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** A collection may be gone, with the data of its node or by mistake: then the indexer makes a new one. */
function refusal(nodes: readonly Node[], error: unknown): PinakesError {
  if (statusOf(error) === NOT_FOUND) return unavailable(nodes, error);
  return pinakesError('index.rejected', { why: asError(error).message }, error);
}

function unavailable(nodes: readonly Node[], error: unknown): PinakesError {
  const urls = nodes.map(({ url }) => url).sort();
  return pinakesError('index.unavailable', { nodes: urls.join(', '), why: asError(error).message }, error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
