// Consumers outside the library: a webhook receiver, and a follower of the change feed that is killed between applying a
// change and saving its position.

import { isDeepStrictEqual } from 'node:util';
import { PinakesError } from '../../../src/core/model/errors.ts';
import { readFeed, type FeedItem } from '../../../src/library/change-feed.ts';
import type { SendMessage, WebhookMessage } from '../../../src/library/webhook-message.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Changes } from '../../../src/store/port/changes.ts';
import type { Conditions } from './faults.ts';
import { createProcess, delayInProcess, inProcess } from './simulated-process.ts';
import { trace } from './trace.ts';
import { chance, delay, integer } from './virtual-time.ts';

export interface WebhookReceiver {
  readonly send: SendMessage;
  /** Called while a process waits for an answer. */
  onSending: () => void;
  readonly problems: string[];
  /** Revisions of all changes that it received. */
  readonly received: Set<number>;
}

interface ChangesData {
  readonly changes: ReadonlyArray<{ readonly revision?: number }>;
}

export function createWebhookReceiver(conditions: Conditions): WebhookReceiver {
  const messages = new Map<string, WebhookMessage['data']>();
  const received = new Set<number>();
  const problems: string[] = [];
  let last = 0;

  function accept({ id, type, data }: WebhookMessage): void {
    const before = messages.get(id);
    if (before !== undefined && !isDeepStrictEqual(before, data))
      problems.push(`message ${id} changed when sent again`);
    if (before !== undefined || type !== 'changes') return;
    messages.set(id, data);
    const revisions = (data as unknown as ChangesData).changes.map(({ revision }) => revision ?? 0);
    for (const revision of revisions) {
      if (received.has(revision)) problems.push(`change ${revision} came again in another message`);
      if (revision < last) problems.push(`change ${revision} came after ${last}`);
      last = Math.max(last, revision);
      received.add(revision);
    }
  }

  const receiver: WebhookReceiver = {
    problems,
    received,
    onSending: () => undefined,
    async send(_target, message) {
      if (!conditions.isCalm) receiver.onSending();
      await delayInProcess(integer(1, 40));
      const isFaulty = conditions.faults.failingReceiver && !conditions.isCalm;
      if (isFaulty && chance(0.2)) return { kind: 'failed', reason: 'simulated', retryAfterMs: null };
      trace(`webhook ${message.id}`);
      accept(message);
      if (isFaulty && chance(0.2)) await delayInProcess(integer(1000, 20_000));
      if (isFaulty && chance(0.2)) return { kind: 'failed', reason: 'simulated: unanswered', retryAfterMs: null };
      return { kind: 'accepted', status: 200 };
    },
  };
  return receiver;
}

/** More than a site has. */
const ALL_PAGES = 1000;

interface FollowedPage {
  readonly revision: number;
  readonly chunks: ReadonlySet<string>;
}

interface FollowerState {
  readonly position: string | null;
  readonly pages: ReadonlyMap<string, FollowedPage>;
}

export interface FeedFollower {
  /** Follows until the signal. */
  run(store: Store, signal: AbortSignal): Promise<void>;
  /** What it has once it has read everything, against what the library lists. */
  compare(changes: Changes): Promise<readonly string[]>;
}

export function createFeedFollower(): FeedFollower {
  let state: FollowerState = { position: null, pages: new Map() };

  /** Returns true while there is more. */
  async function step(changes: Changes, limit: number): Promise<boolean> {
    try {
      const page = await readFeed(changes, { since: state.position, source: null, limit });
      const pages = applied(state.position === null ? new Map() : state.pages, page.items);
      // Killed before it saved its position: the same items come again.
      state = chance(0.1) && state.position !== null ? { ...state, pages } : { position: page.position, pages };
      return page.hasMore || page.items.length > 0;
    } catch (error) {
      if (!(error instanceof PinakesError)) throw error;
      if (error.code === 'changes.expired') state = { position: null, pages: new Map() };
      return true;
    }
  }

  return {
    async run(store, signal) {
      await inProcess(createProcess('follower'), async () => {
        while (!signal.aborted) {
          // It has lost what it had, and lists the library while it changes.
          if (chance(0.03)) state = { position: null, pages: new Map() };
          await step(store.changes, integer(1, 12));
          await delayInProcess(integer(20, 1500));
        }
      });
    },
    async compare(changes) {
      while (await step(changes, 50)) await delay(1);
      const listed = new Map<string, ReadonlySet<string>>();
      for (const { version } of await changes.versions()) {
        const { pages } = await changes.listPages(version, null, ALL_PAGES);
        for (const { url, chunks } of pages) listed.set(`${version} ${url}`, new Set(chunks));
      }
      const followed = new Map([...state.pages].filter(([, { chunks }]) => chunks.size > 0));
      const problems = [...listed]
        .filter(([page, chunks]) => !isDeepStrictEqual(followed.get(page)?.chunks, chunks))
        .map(([page]) => `the follower has other chunks of ${page}`);
      const extra = [...followed.keys()].filter((page) => !listed.has(page));
      return [...problems, ...extra.map((page) => `the follower still has ${page}`)];
    },
  };
}

function applied(pages: ReadonlyMap<string, FollowedPage>, items: readonly FeedItem[]): Map<string, FollowedPage> {
  const result = new Map(pages);
  for (const item of items) {
    if (item.kind === 'list-end') continue;
    const { kind, versionId, url, revision, added, removed } = item;
    const page = `${versionId} ${url}`;
    const before = result.get(page);
    if (before !== undefined && kind !== 'listed' && revision <= before.revision) continue;
    const chunks = new Set(kind === 'listed' ? [] : before?.chunks);
    for (const chunk of removed) chunks.delete(chunk);
    for (const chunk of added) chunks.add(chunk);
    result.set(page, { revision, chunks });
  }
  return result;
}
