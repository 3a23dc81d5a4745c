import { expect, test } from 'vitest';
import { createSseParser } from './sse-parser.ts';

const TEXT =
  'event: snapshot\ndata: {"seq":1}\n\nid: 2\nevent: queue\ndata: {"a":"b: c"}\n\n:\n\nid: 3\nevent: done\ndata: {}\n\n';

test('a stream yields the same frames wherever it is split', () => {
  const whole = createSseParser()(TEXT);
  expect(whole.map(({ event, id }) => [event, id])).toEqual([
    ['snapshot', null],
    ['queue', '2'],
    ['done', '3'],
  ]);
  for (let at = 0; at <= TEXT.length; at += 1) {
    const read = createSseParser();
    expect([...read(TEXT.slice(0, at)), ...read(TEXT.slice(at))]).toEqual(whole);
  }
});

test('a keep-alive comment is not a frame', () => {
  expect(createSseParser()(':\n\n')).toEqual([]);
});
