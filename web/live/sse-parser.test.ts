import { expect, test } from 'vitest';
import { createFrameReader } from './sse-parser.ts';

const TEXT =
  'event: snapshot\ndata: {"seq":1}\n\nid: 2\nevent: queue\ndata: {"a":"b: c"}\n\n:\n\nid: 3\nevent: done\ndata: {}\n\n';

test('a stream gives the same frames wherever it is cut', () => {
  const whole = createFrameReader()(TEXT);
  expect(whole.map(({ event, id }) => [event, id])).toEqual([
    ['snapshot', null],
    ['queue', '2'],
    ['done', '3'],
  ]);
  for (let at = 0; at <= TEXT.length; at += 1) {
    const read = createFrameReader();
    expect([...read(TEXT.slice(0, at)), ...read(TEXT.slice(at))]).toEqual(whole);
  }
});

test('a comment that keeps the line open is no frame', () => {
  expect(createFrameReader()(':\n\n')).toEqual([]);
});
