// Sends changes to webhooks: in order, each message at least once, from the saved position of each webhook. One that fails is tried again
// later and delays neither the others nor the crawl.

import { PinakesError } from '../core/model/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/port.ts';
import type { WebhookLease } from '../store/port/webhooks.ts';
import { formatPosition, latestPosition, parsePosition, readFeed, type FeedItem } from './change-feed.ts';
import type { DeliveryOutcome, SendMessage, WebhookMessage } from './webhook-message.ts';
import { sleepOrAbort } from '../platform/clock.ts';

export interface DeliveryDeps {
  readonly store: Pick<Store, 'changes' | 'webhooks'>;
  readonly send: SendMessage;
  readonly worker: string;
  readonly log: Log;
  readonly random: () => number;
  readonly settings: DeliverySettings;
}

export interface DeliverySettings {
  readonly timeoutMs: number;
  readonly minRetryMs: number;
  readonly maxRetryMs: number;
}

/** Receivers that hang take a place each until their timeout. */
const MAX_ACTIVE = 16;
const POLL_MS = 1000;
/** While changes come one by one, they are sent together. */
const GATHER_MS = 250;
const CHANGES_PER_MESSAGE = 100;
/** Then other webhooks get their turn. */
const MESSAGES_PER_LEASE = 20;
/** A message that is sent, and saving that it was. */
const LEASE_MARGIN_MS = 30_000;

/** Runs until the signal. */
export async function deliverWebhooks(deps: DeliveryDeps, signal: AbortSignal): Promise<void> {
  const { store, worker, log, settings } = deps;
  const active = new Set<Promise<void>>();
  while (!signal.aborted) {
    const lease =
      active.size < MAX_ACTIVE ? await store.webhooks.lease(worker, settings.timeoutMs + LEASE_MARGIN_MS) : null;
    if (lease === null) {
      await sleepOrAbort(POLL_MS, signal);
      continue;
    }
    const { name } = lease.hook;
    const delivery = deliverChanges(lease, deps, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error('a webhook was not delivered to', { webhook: name, error });
      })
      .finally(() => active.delete(delivery));
    active.add(delivery);
  }
  await Promise.allSettled(active);
}

async function deliverChanges(lease: WebhookLease, deps: DeliveryDeps, signal: AbortSignal): Promise<void> {
  const { webhooks } = deps.store;
  let { position } = lease.hook;
  let { messageEnd } = lease;
  for (let sent = 0; sent < MESSAGES_PER_LEASE && !signal.aborted;) {
    const next = await readMessage(lease, deps.store, { position, messageEnd });
    if (next.message === null) {
      if (!(await webhooks.deliver(lease, next.end, false))) return;
    } else {
      const outcome = await attempt(lease, { ...next, message: next.message }, deps, signal);
      if (outcome === 'stopped') return;
      sent += 1;
    }
    ({ end: position } = next);
    messageEnd = null;
    if (next.isLast) {
      await sleepOrAbort(GATHER_MS, signal);
      break;
    }
  }
  await webhooks.release(lease);
}

interface NextMessage {
  /** Null if nothing up to the end concerns the webhook. */
  readonly message: WebhookMessage | null;
  /** Position of the last change. */
  readonly end: number;
  readonly isLast: boolean;
}

async function readMessage(
  { id, hook: { name, source } }: WebhookLease,
  { changes }: DeliveryDeps['store'],
  { position, messageEnd }: { readonly position: number; readonly messageEnd: number | null },
): Promise<NextMessage> {
  try {
    const page = await readFeed(changes, { since: String(position), source, limit: CHANGES_PER_MESSAGE });
    const { number } = parsePosition(page.position);
    const end = messageEnd ?? number;
    const items = page.items.filter((item) => 'revision' in item && item.revision <= end);
    const last = items.at(-1);
    const message: WebhookMessage | null =
      last === undefined
        ? null
        : {
            id: `${last.position}-${id}`,
            type: 'changes',
            data: { webhook: name, position: last.position, changes: items.map(viewOf) },
          };
    return { message, end, isLast: !page.hasMore && end === number };
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    const latest = await latestPosition(changes);
    const data = {
      webhook: name,
      position: formatPosition(latest),
      error: { code: error.code, message: error.message },
    };
    if (error.code === 'changes.expired')
      return {
        message: { id: `${data.position}-${id}-expired`, type: error.code, data },
        end: latest.number,
        isLast: false,
      };
    // Its source was never there, or is gone with all of its changes.
    if (error.code === 'source.unknown') return { message: null, end: latest.number, isLast: true };
    throw error;
  }
}

function viewOf(item: FeedItem): object {
  return 'at' in item ? { ...item, at: item.at.toISOString() } : item;
}

/** Returns `stopped` if the lease has ended, one way or another. */
async function attempt(
  lease: WebhookLease,
  { message, end }: NextMessage & { readonly message: WebhookMessage },
  { store: { webhooks }, send, settings, random, log }: DeliveryDeps,
  signal: AbortSignal,
): Promise<'delivered' | 'stopped'> {
  const { hook, secret } = lease;
  if (!(await webhooks.begin(lease, end, settings.timeoutMs + LEASE_MARGIN_MS))) return 'stopped';
  const outcome = await send({ url: hook.url, secret }, message, signal).catch((error: unknown): DeliveryOutcome => {
    if (!signal.aborted) throw error;
    return { kind: 'failed', reason: 'this process was stopped', retryAfterMs: 0 };
  });
  if (outcome.kind === 'accepted') return (await webhooks.deliver(lease, end, true)) ? 'delivered' : 'stopped';
  if (signal.aborted) await webhooks.release(lease);
  else if (outcome.kind === 'unwanted') {
    log.warn('a webhook was disabled', { webhook: hook.name, why: outcome.reason });
    await webhooks.disable(lease, outcome.reason);
  } else {
    const retryInMs = Math.max(outcome.retryAfterMs ?? 0, backoffMs(hook.failures, settings, random()));
    log.warn('a webhook failed and is tried again', { webhook: hook.name, why: outcome.reason, retryInMs });
    await webhooks.fail(lease, outcome.reason, retryInMs);
  }
  return 'stopped';
}

/** Doubles with each failure; between half and all of it, so that many webhooks of one receiver do not come back at once. */
export function backoffMs(failures: number, { minRetryMs, maxRetryMs }: DeliverySettings, chance: number): number {
  const fullMs = Math.min(maxRetryMs, minRetryMs * 2 ** Math.min(failures, 40));
  return Math.round(fullMs * (0.5 + chance / 2));
}
