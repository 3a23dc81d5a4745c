import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createEventHub } from './event-hub.ts';
import type { EventFeed } from './http-deps.ts';

test('a journal that cannot be read is tried again after a growing pause, and streams go on (finding B7)', async () => {
  let reads = 0;
  let isBroken = true;
  const feed: EventFeed = {
    async eventsAfter(seq) {
      reads += 1;
      // As SQLite fails: nothing in between waits, so without a pause the event loop would never turn.
      if (isBroken) throw new Error('the disk is gone');
      return seq > 0 ? [] : [{ seq: 1, at: '2026-01-01T00:00:00.000Z', run: null, kind: 'note', data: {} } as never];
    },
    lastSeq: async () => 0,
    liveRuns: async () => [],
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
  await wait(1200);
  expect(reads).toBeGreaterThan(1);
  expect(reads).toBeLessThan(5);
  expect(lines.length).toBeLessThan(5);
  isBroken = false;
  await expect.poll(() => received, { timeout: 10_000 }).toContain('id: 1');
  hub.close();
  server.close();
});
