import { expect, test } from 'vitest';
import { loadVerdict } from './load-verdict.ts';

const MB = 2 ** 20;
/** As `--max-old-space-size=256` gives it. */
const idle = { inFlight: 0, usedBytes: 60 * MB, heapLimitBytes: 448 * MB };

test('a request is taken on while there is room for it', () => {
  expect(loadVerdict(idle, 10)).toEqual({ take: true });
  expect(loadVerdict({ ...idle, inFlight: 9 }, 10)).toEqual({ take: true });
});

test('one more than the limit is turned away', () => {
  expect(loadVerdict({ ...idle, inFlight: 10 }, 10)).toEqual({ take: false, because: 'requests' });
});

test('a full heap turns away whatever comes, before it is quite full', () => {
  expect(loadVerdict({ ...idle, usedBytes: 190 * MB }, 10)).toEqual({ take: true });
  expect(loadVerdict({ ...idle, usedBytes: 193 * MB }, 10)).toEqual({ take: false, because: 'memory' });
});

test('where young objects have less room, half of the heap is what counts', () => {
  expect(loadVerdict({ ...idle, heapLimitBytes: 200 * MB }, 10)).toEqual({ take: true });
  expect(loadVerdict({ ...idle, heapLimitBytes: 150 * MB }, 10)).toEqual({ take: false, because: 'memory' });
});
