// Requests to a cluster: any node answers any request, so one that fails, hangs or is overloaded is suspended for a while, and
// its requests go to another.

import { anySignal } from '../../core/any-signal.ts';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';
import { deadline, every, monotonicMs, sleep, sleepOrAbort } from '../../platform/clock.ts';
import { isAlive, openNode, closeBreaker, statusOf, type Answer, type Node, type NodeRequest } from './node.ts';

/** The API key is sent to each of the nodes. */
export interface NodesOptions {
  readonly urls: readonly string[];
  readonly apiKey: string | undefined;
}

export interface RequestOptions {
  /** For all attempts together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Both raise `index.unavailable` if no node answered in time, and `index.rejected` if one refused; the `result` is returned. */
export interface Nodes {
  /** Hedged request: after a delay the next node is queried too; the first response wins. */
  read<T>(request: NodeRequest, options: RequestOptions): Promise<T>;
  /** Sends the request to one node at a time. */
  write<T>(request: NodeRequest, options: RequestOptions): Promise<T>;
  /** Version of each node, or why it does not answer. */
  versions(options: RequestOptions): Promise<ReadonlyArray<{ readonly url: string; readonly version: string | Error }>>;
}

export function openNodes({ urls, apiKey }: NodesOptions): Nodes {
  const nodes = urls.map((url) => openNode(url, apiKey));
  let turn = 0;
  return {
    // Readers take turns. Writers prefer the same node: one that writes while another hangs waits for it, and with it its readers.
    read: (request, options) => {
      if (nodes.length > 1) for (const node of nodes) closeBreaker(node, request);
      turn += 1;
      const first = turn % nodes.length;
      return send([...nodes.slice(first), ...nodes.slice(0, first)], readOnce, request, options);
    },
    write: (request, options) => send(nodes, writeOnce, request, options),
    versions: ({ timeoutMs, signal }) =>
      Promise.all(
        nodes.map(async ({ url, send: sendTo }) => {
          const answer = sendTo({ method: 'GET', path: '/' }, signalOf({ timeoutMs, signal }));
          const version = await answer.then(({ version: found }) => String(found), asError);
          return { url, version };
        }),
      ),
  };
}

/** Sends the request to the nodes in this order; resolves with the first answer, rejects with the last error. */
type SendOnce = (nodes: readonly Node[], request: NodeRequest, signal: AbortSignal) => Promise<unknown>;

/** If all nodes refuse connections, a request fails after this time, however long an answer may take: they may be down for hours. */
const UNREACHABLE_MS = 2000;
const RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 1000;

async function send<T>(
  nodes: readonly Node[],
  once: SendOnce,
  request: NodeRequest,
  options: RequestOptions,
): Promise<T> {
  const begun = monotonicMs();
  const signal = signalOf(options);
  for (let round = 0; ; round += 1) {
    try {
      return (await once(inOrder(nodes), request, signal)) as T;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (isRefusal(error)) throw pinakesError('index.rejected', { reason: asError(error).message }, error);
      const delay = Math.min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * 2 ** round);
      const lastMs = nodes.every(({ isUnreachable }) => isUnreachable) ? UNREACHABLE_MS : Infinity;
      const waitedMs = monotonicMs() - begun + delay;
      // A collection may be gone, with the data of its node or by mistake: then the indexer makes a new one.
      if (isUnknown(error) || waitedMs >= Math.min(lastMs, options.timeoutMs)) throw unavailable(nodes, error);
      await sleepOrAbort(delay, signal);
      options.signal?.throwIfAborted();
    }
  }
}

/** Nodes that work come first, then the one that has been suspended for longest. */
function inOrder(nodes: readonly Node[]): readonly Node[] {
  return nodes.toSorted((left, right) => pausedMs(left) - pausedMs(right));
}

function pausedMs({ breaker }: Node): number {
  const { breaker: state, pausedForMs } = breaker.now();
  return state === 'closed' ? -1 : pausedForMs;
}

/** A node that has answered nothing at all for this long may hang. */
const SILENT_MS = 250;
/** A node that answers other requests is busy: a hedged request would add to the load. */
const SLOW_MS = 600;

/** One error for all requests: a new one, with its stack, takes .2 ms. */
const ANSWERED = new Error('a node has answered');

const readOnce: SendOnce = async (nodes, request, signal) => {
  const done = new AbortController();
  const any = AbortSignal.any([signal, done.signal]);
  /** In the order in which the request was sent to them. */
  const sent = new Map<Node, Promise<ReadOutcome>>();
  const failures: unknown[] = [];
  const left = [...nodes];
  try {
    for (;;) {
      const next = left.shift();
      if (next !== undefined) sent.set(next, sendOne(next, request, any));
      const outcomes = [...sent.values()];
      if (outcomes.length === 0) throw mostInformative(failures);
      const delays = next === undefined || left.length === 0 ? [] : [hedgeDelay(next, any)];
      const first = await Promise.race([...outcomes, ...delays]);
      if (first === null) continue;
      if ('result' in first) {
        first.node.answeredAt = monotonicMs();
        markOvertaken([...sent.keys()], first.node);
        return first.result;
      }
      sent.delete(first.node);
      failures.push(first.error);
      if (signal.aborted || isRefusal(first.error)) throw first.error;
      if (!isUnknown(first.error)) first.node.breaker.failed(RETRYABLE);
    }
  } finally {
    done.abort(ANSWERED);
  }
};

/** Counts a failure of each node that got the request before the one that has answered. */
function markOvertaken(sent: readonly Node[], by: Node): void {
  for (const node of sent.slice(0, sent.indexOf(by))) node.breaker.failed(RETRYABLE);
}

const RETRYABLE = { retryable: true, waitMs: 0 } as const;

type ReadOutcome = { readonly node: Node } & ({ readonly result: unknown } | { readonly error: unknown });

async function sendOne(node: Node, request: NodeRequest, signal: AbortSignal): Promise<ReadOutcome> {
  try {
    return { node, result: (await node.send(request, signal)).result };
  } catch (error) {
    return { node, error };
  }
}

async function hedgeDelay(node: Node, signal: AbortSignal): Promise<null> {
  const begun = monotonicMs();
  await sleep(SILENT_MS, signal);
  if (node.answeredAt > begun) await sleep(SLOW_MS - SILENT_MS, signal);
  return null;
}

const writeOnce: SendOnce = async (nodes, request, signal) => {
  const failures: unknown[] = [];
  for (const node of nodes)
    try {
      return (await (nodes.length === 1 ? node.send(request, signal) : sendWithLivenessCheck(node, request, signal)))
        .result;
    } catch (error) {
      failures.push(error);
      if (signal.aborted || isRefusal(error)) throw error;
      if (!isUnknown(error)) node.breaker.failed(RETRYABLE);
    }
  throw mostInformative(failures);
};

const WATCH_MS = 1000;

/** A write may take long, because it waits for a replica that does not respond. So the node itself is checked in the meantime. */
async function sendWithLivenessCheck(node: Node, request: NodeRequest, signal: AbortSignal): Promise<Answer> {
  const hung = new AbortController();
  const watch = every(WATCH_MS, () => {
    void isAlive(node).then((isIt) => isIt || hung.abort(new Error(`${node.url} does not respond`)));
  });
  try {
    return await node.send(request, AbortSignal.any([signal, hung.signal]));
  } catch (error) {
    throw hung.signal.aborted ? hung.signal.reason : error;
  } finally {
    watch.cancel();
  }
}

/** A node that does not know a collection may have been away while it was created, so any other error is more informative. */
function mostInformative(failures: readonly unknown[]): unknown {
  return failures.find((error) => !isUnknown(error)) ?? failures.at(-1);
}

function signalOf({ timeoutMs, signal }: RequestOptions): AbortSignal {
  return anySignal(signal, deadline(timeoutMs));
}

const NOT_FOUND = 404;

function isUnknown(error: unknown): boolean {
  return statusOf(error) === NOT_FOUND;
}

/** The request itself is wrong, so every node would refuse it. Too many requests (429) and timeouts (408) are not a refusal. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== NOT_FOUND && status !== 408 && status !== 429;
}

function unavailable(nodes: readonly Node[], error: unknown): PinakesError {
  const urls = nodes.map(({ url }) => url).sort();
  return pinakesError('index.unavailable', { nodes: urls.join(', '), reason: asError(error).message }, error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
