import { expect, test } from 'vitest';
import type { EventView } from '../../actions/list-journal.ts';
import { createSseSubscribers, renderFrames, type StreamFilter, type Subscriber } from './sse-subscribers.ts';

const ALL: StreamFilter = { run: null, after: null, logs: true, sources: null };

function event(seq: number, kind: string, detail: EventView['detail'] = {}, run = 1): EventView {
  return { seq, at: '2026-03-01T12:00:00.000Z', run, kind, url: null, detail };
}

function framesOf(events: readonly EventView[], filter = ALL, names: ReadonlyMap<number, string> = new Map()) {
  const text = renderFrames(events, filter, names);
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const [id = '', name = '', data = ''] = frame.split('\n');
      const view = JSON.parse(data.slice('data: '.length)) as EventView;
      return { id: Number(id.slice('id: '.length)), event: name.slice('event: '.length), detail: view.detail };
    });
}

test('log frames that repeat are one, with the number of the last and how often', () => {
  const frames = framesOf([
    event(1, 'rate-changed', { ms: 1 }),
    event(2, 'rate-changed', { ms: 2 }),
    event(3, 'rate-changed', { ms: 3 }),
  ]);
  expect(frames).toEqual([{ id: 3, event: 'log', detail: { ms: 3, count: 3 } }]);
});

test('another kind, another run or a frame of another name ends the repetition', () => {
  const events = [
    event(1, 'rate-changed'),
    event(2, 'rate-changed', {}, 2),
    event(3, 'disk-full'),
    event(4, 'rate-changed'),
    event(5, 'milestone'),
    event(6, 'rate-changed'),
    event(7, 'rate-changed'),
  ];
  expect(framesOf(events).map(({ id, detail }) => [id, detail['count'] ?? 1])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [5, 1],
    [7, 2],
  ]);
});

test('frames of pages are never merged, and long texts of log frames are cut', () => {
  expect(framesOf([event(1, 'new'), event(2, 'new')])).toHaveLength(2);
  const [log, problem] = framesOf([
    event(1, 'rate-changed', { why: 'a'.repeat(5000) }),
    event(2, 'problem', { message: 'b'.repeat(5000) }),
  ]);
  expect(String(log?.detail['why'])).toHaveLength(2001);
  expect(String(problem?.detail['message'])).toHaveLength(5000);
});

test('without log frames the others stay', () => {
  const events = [event(1, 'rate-changed'), event(2, 'retry'), event(3, 'missing')];
  expect(framesOf(events, { ...ALL, logs: false }).map(({ event: name }) => name)).toEqual(['queue', 'queue']);
});

test('others get their turn while a large batch is written', async () => {
  const subscribers = createSseSubscribers();
  const written: string[] = [];
  const write = (text: Buffer): void => {
    const until = performance.now() + 0.2;
    while (performance.now() < until);
    written.push('write');
    expect(String(text)).toContain('id: 1\n');
  };
  const response = { write, on: () => undefined, writableLength: 0 } as unknown as Subscriber['response'];
  for (let count = 0; count < 160; count += 1) subscribers.add({ response, filter: ALL, seq: 0 });
  const broadcast = subscribers.broadcast({
    events: [event(1, 'new')],
    progress: [],
    keepAlive: false,
    names: new Map(),
  });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await broadcast;
  clearInterval(timer);
  expect(written).toHaveLength(160);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('a stream with the right to some sources has no event of another one, nor of one that is gone', () => {
  const events = [event(1, 'new', {}, 1), event(2, 'new', {}, 2), event(3, 'new', {}, 3)];
  const names = new Map([
    [1, 'open-guide'],
    [2, 'secret'],
  ]);
  expect(framesOf(events, { ...ALL, sources: ['open-*'] }, names).map(({ id }) => id)).toEqual([1]);
  expect(framesOf(events, ALL, names).map(({ id }) => id)).toEqual([1, 2, 3]);
});
