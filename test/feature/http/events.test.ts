// The event stream, over a real crawl and a real socket.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../../support/raw-http.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createDatabase } from '../../support/stores.ts';
import { openStream, type StreamFrame } from '../../support/read-stream.ts';

const post = (url: string, body: object = {}): Promise<{ run: number }> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(
    (answer) => answer.json() as Promise<{ run: number }>,
  );

const isEndOf = (run: number) => (frame: StreamFrame) => frame.event === 'done' && frame.data['run'] === run;

const numbered = (frames: readonly StreamFrame[]): number[] => frames.flatMap(({ id }) => (id === null ? [] : [id]));

let site: SiteServer;
beforeAll(async () => void (site = await createSiteServer({ size: 8 })));
afterAll(() => site.close());

describe('[R6] the event stream of one server', () => {
  let server: TestServer;
  let run: number;
  let seen: readonly StreamFrame[];
  beforeAll(async () => {
    server = await startTestServer();
    const stream = await openStream(`${server.url}/events`);
    await stream.until(({ event }) => event === 'snapshot');
    ({ run } = await post(`${server.url}/api/sources`, { url: site.start, name: 'almanac' }));
    await stream.until(isEndOf(run));
    stream.close();
    seen = [...stream.frames];
  });
  afterAll(() => server.stop());

  test('starts with a snapshot and sends every event, in order and without gaps', () => {
    expect(seen[0]).toMatchObject({ event: 'snapshot', data: { runs: [] } });
    const numbers = numbered(seen);
    expect(numbers.length).toBeGreaterThan(8);
    expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
    const kinds = seen.map(({ event, data }) => `${event}/${(data['kind'] as string | undefined) ?? ''}`);
    expect(kinds).toEqual(
      expect.arrayContaining(['jobs/run-started', 'queue/new', 'milestone/seeds-prepared', 'done/run-ended']),
    );
  });

  test('responds to HEAD at once, and holds no stream for it', async () => {
    for (const path of ['/events', '/events?after=99999999', '/api/changes/stream'])
      expect((await fetch(server.url + path, { method: 'HEAD', signal: AbortSignal.timeout(10_000) })).status).toBe(
        200,
      );
    expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/sse_clients 0\n/);
  });

  test('resumes after the last event id of the client, by header or by query', async () => {
    const numbers = numbered(seen);
    const after = numbers[4] ?? 0;
    for (const [query, headers] of [
      ['', { 'last-event-id': String(after) }],
      [`?after=${after}`, {}],
    ] as const) {
      const again = await openStream(`${server.url}/events${query}`, headers);
      await again.until(isEndOf(run));
      again.close();
      expect(numbered(again.frames)).toEqual(numbers.filter((number) => number > after));
    }
  });

  test('continues for a client after an event that does not exist yet (finding V02)', async () => {
    const ahead = await openStream(`${server.url}/events?after=99999999999`);
    await ahead.until(({ event }) => event === 'snapshot');
    const next = await openStream(`${server.url}/events`);
    expect(await next.until(isEndOf(run))).toBeDefined();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const stream of [ahead, next]) stream.close();
  });

  test('sends the end of a run again to a client that connects later', async () => {
    const late = await openStream(`${server.url}/events?run=${run}`);
    expect(await late.until(isEndOf(run))).toMatchObject({ data: { state: 'completed' } });
    late.close();
  });

  test('of one run contains no events of another', async () => {
    const one = await openStream(`${server.url}/events?run=${run}&after=0`);
    const other = await post(`${server.url}/api/sources`, { url: site.start, name: 'second', maxPages: 2 });
    const both = await openStream(`${server.url}/events?run=${other.run}&after=0`);
    await both.until(isEndOf(other.run));
    await one.until(isEndOf(run));
    one.close();
    both.close();
    for (const [stream, number] of [
      [one, run],
      [both, other.run],
    ] as const)
      expect(new Set(stream.frames.filter(({ id }) => id !== null).map(({ data }) => data['run']))).toEqual(
        new Set([number]),
      );
  });

  test('omits log frames on request', async () => {
    const quiet = await openStream(`${server.url}/events?after=0&logs=0`);
    await quiet.until(isEndOf(run));
    quiet.close();
    expect(quiet.frames.filter(({ event }) => event === 'log')).toEqual([]);
  });

  test.each(['after=x', 'after=-1', 'run=one', 'run=1e3'])('refuses %s', async (query) => {
    expect((await fetch(`${server.url}/events?${query}`)).status).toBe(400);
  });

  test('[R6] counts clients, removes those that disconnect, and is not blocked by one', async () => {
    const deaf = await connectTo(server.port);
    deaf.pause();
    deaf.write(`GET /events?after=0 HTTP/1.1\r\nhost: localhost:${server.port}\r\n\r\n`);
    const stream = await openStream(`${server.url}/events`);
    const { run: third } = await post(`${server.url}/api/sources/almanac/recrawl`);
    await stream.until(isEndOf(third));
    stream.close();
    deaf.destroy();
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text(), { timeout: 10_000 })
      .toContain('pinakes_sse_clients 0');
  });
});

test('[R6] several servers on one PostgreSQL see the events of each other', async () => {
  const { url, drop } = await createDatabase();
  const [one, two] = [
    await startTestServer({ PINAKES_DATABASE_URL: url }),
    await startTestServer({ PINAKES_DATABASE_URL: url }),
  ];
  const streams = await Promise.all([one, two].map((server) => openStream(`${server.url}/events?after=0`)));
  const { run } = await post(`${one.url}/api/sources`, { url: site.start, name: 'almanac' });
  await Promise.all(streams.map((stream) => stream.until(isEndOf(run))));
  const [first = [], second = []] = streams.map(({ frames }) => numbered(frames));
  expect(first.length).toBeGreaterThan(8);
  expect(second).toEqual(first);
  for (const stream of streams) stream.close();
  await one.stop();
  await two.stop();
  await drop();
});
