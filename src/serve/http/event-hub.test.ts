import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createEventHub } from './event-hub.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import type { EventFeed } from './http-deps.ts';
import type { StreamFilter } from './sse-subscribers.ts';

test('a journal that cannot be read is tried again after a growing pause, and streams go on (finding B7)', async () => {
  const readAt: number[] = [];
  let isBroken = true;
  const feed: EventFeed = {
    async eventsAfter(seq) {
      readAt.push(performance.now());
      // As SQLite fails: nothing in between waits, so without a pause the event loop would never turn.
      if (isBroken) throw new Error('the disk is gone');
      return seq > 0 ? [] : [{ seq: 1, at: '2026-01-01T00:00:00.000Z', run: null, kind: 'note', detail: {} } as never];
    },
    lastSeq: async () => 0,
    liveRuns: async () => [],
    sourcesOf: async () => new Map(),
    endedRuns: async () => [],
    run: async () => null,
  };
  const lines: string[] = [];
  const log = createLog({ level: 'info', now: () => new Date(), write: (line) => void lines.push(line) });
  const hub = createEventHub(feed, log);
  const server = createServer((_request, response) => {
    const filter = { run: null, after: null, logs: true, sources: null };
    void hub.open(response, filter, () => void response.writeHead(200));
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  let received = '';
  get({ port: (server.address() as AddressInfo).port, agent: false }, (response) =>
    response.setEncoding('utf8').on('data', (text: string) => (received += text)),
  );
  await expect.poll(() => readAt.length, { timeout: 60_000 }).toBeGreaterThan(2);
  const pauses = readAt.slice(1, 3).map((at, n) => at - (readAt[n] ?? 0));
  expect(pauses[0]).toBeGreaterThan(240);
  expect(pauses[1]).toBeGreaterThan(490);
  expect(lines.length).toBeLessThanOrEqual(readAt.length);
  isBroken = false;
  await expect.poll(() => received, { timeout: 60_000 }).toContain('id: 1');
  hub.close();
  server.close();
});

const ENDED = { run: 3, state: 'completed', endedAt: '2026-03-01T12:00:00.000Z' } as RunView;
const LIVE = { run: 4, state: 'running', endedAt: null } as RunView;

/** What a client gets before the first event. */
async function greetingOf(filter: StreamFilter, last = 'event: progress'): Promise<readonly string[]> {
  const feed: EventFeed = {
    eventsAfter: async () => [],
    lastSeq: async () => 9,
    liveRuns: async () => [LIVE],
    sourcesOf: async () => new Map(),
    endedRuns: async () => [ENDED],
    run: async (id) => [ENDED, LIVE].find(({ run }) => run === id) ?? null,
  };
  const hub = createEventHub(feed, createLog({ level: 'error', now: () => new Date(), write: () => undefined }));
  const server = createServer((_request, response) => {
    void hub.open(response, filter, () => void response.writeHead(200));
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  let received = '';
  get({ port: (server.address() as AddressInfo).port, agent: false }, (response) =>
    response.setEncoding('utf8').on('data', (text: string) => (received += text)),
  );
  // The first progress comes after everything that a client is greeted with.
  await expect.poll(() => received, { timeout: 60_000 }).toContain(last);
  hub.close();
  server.close();
  const names = [...received.matchAll(/event: (\w+)\ndata: (.*)/g)].map(([, name, data]) => `${name} ${data}`);
  return names.filter((name) => !name.startsWith('progress')).map((name) => name.slice(0, 16));
}

const NEW_CLIENT: StreamFilter = { run: null, after: null, logs: true, sources: null };

test('[R9] a client that connects late is told how runs ended, and one that continues is not', async () => {
  expect(await greetingOf(NEW_CLIENT)).toEqual(['snapshot {"seq":', 'done {"run":3,"s']);
  expect(await greetingOf({ ...NEW_CLIENT, after: 9 })).toEqual(['snapshot {"seq":']);
});

test('[R9] a client of one run is told of its end only', async () => {
  expect(await greetingOf({ ...NEW_CLIENT, run: 4 })).toEqual(['snapshot {"seq":']);
  const ofEnded = await greetingOf({ ...NEW_CLIENT, run: 3 }, 'event: done');
  expect(ofEnded).toEqual(['snapshot {"seq":', 'done {"run":3,"s']);
});

const QUICKLY = { timeout: 10_000 };

/** A journal whose last event can be set. Reading the same position without end is an error instead of a hang. */
function replaceableJournal(): { readonly feed: EventFeed; last: number; first: number } {
  const reads = new Map<number, number>();
  const journal = {
    last: 5,
    first: 1,
    feed: {
      async eventsAfter(seq: number, limit: number) {
        reads.set(seq, (reads.get(seq) ?? 0) + 1);
        if ((reads.get(seq) ?? 0) > 200) throw new Error(`read ${seq} without end`);
        const from = Math.max(seq + 1, journal.first);
        const count = Math.max(0, Math.min(limit, journal.last - from + 1));
        return Array.from(
          { length: count },
          (_, n) => ({ seq: from + n, run: null, kind: 'milestone', detail: {} }) as never,
        );
      },
      lastSeq: async () => journal.last,
      liveRuns: async () => [],
      sourcesOf: async () => new Map(),
      endedRuns: async () => [],
      run: async () => null,
    },
  };
  return journal;
}

interface TestStream {
  readonly ids: () => readonly number[];
  readonly text: () => string;
}

async function withHub(
  feed: EventFeed,
  use: (open: (after: number | null) => Promise<TestStream>) => Promise<void>,
): Promise<void> {
  const hub = createEventHub(feed, createLog({ level: 'error', now: () => new Date(), write: () => undefined }));
  const server = createServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://localhost').searchParams.get('after');
    const filter = { run: null, after: after === null ? null : Number(after), logs: true, sources: null };
    hub.open(response, filter, () => void response.writeHead(200)).catch(() => response.destroy());
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const open = async (after: number | null): Promise<TestStream> => {
    let received = '';
    const path = after === null ? '/' : `/?after=${after}`;
    const before = hub.clients();
    const request = get({ port: (server.address() as AddressInfo).port, path, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.setEncoding('utf8').on('data', (text: string) => (received += text));
    });
    request.on('error', () => undefined);
    await expect.poll(() => hub.clients(), QUICKLY).toBe(before + 1);
    return { text: () => received, ids: () => Array.from(received.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id)) };
  };
  await use(open).finally(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
}

test('a client after an event that does not exist yet is a new client, and the next one connects (finding V02)', async () => {
  const journal = replaceableJournal();
  await withHub(journal.feed, async (open) => {
    const ahead = await open(99_999_999_999);
    const next = await open(null);
    journal.last = 7;
    await expect
      .poll(() => [ahead.ids(), next.ids()], QUICKLY)
      .toEqual([
        [6, 7],
        [6, 7],
      ]);
    expect(ahead.text()).toContain('"seq":5');
  });
});

test('streams continue where the journal ends after it was replaced by a shorter one (finding V02)', async () => {
  const journal = replaceableJournal();
  journal.last = 36;
  await withHub(journal.feed, async (open) => {
    const before = await open(30);
    await expect.poll(() => before.ids().length, QUICKLY).toBe(6);
    journal.last = 5;
    const next = await open(null);
    journal.last = 6;
    await expect.poll(() => [before.ids().at(-1), next.ids()], QUICKLY).toEqual([6, [6]]);
  });
});

test('a client after events that were pruned connects while others have received more (finding V02)', async () => {
  const journal = replaceableJournal();
  Object.assign(journal, { first: 37, last: 36 });
  await withHub(journal.feed, async (open) => {
    await open(null);
    const late = await open(3);
    journal.last = 37;
    await expect.poll(late.ids, QUICKLY).toEqual([37]);
  });
});
