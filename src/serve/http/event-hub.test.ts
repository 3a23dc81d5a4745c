import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createEventHub } from './event-hub.ts';
import type { EventFeed } from './http-deps.ts';

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
    endedRuns: async () => [],
    run: async () => null,
  };
  const lines: string[] = [];
  const log = createLog({ level: 'info', now: () => new Date(), write: (line) => void lines.push(line) });
  const hub = createEventHub(feed, log);
  const server = createServer((_request, response) => {
    const filter = { run: null, after: null, logs: true };
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
