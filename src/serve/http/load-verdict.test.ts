import { expect, test } from 'vitest';
import { loadVerdict } from './load-verdict.ts';

const idle = { inFlight: 0, usedBytes: 50, heapLimitBytes: 100 };

test('a request is taken on while there is room for it', () => {
  expect(loadVerdict(idle, 10)).toEqual({ take: true });
  expect(loadVerdict({ ...idle, inFlight: 9 }, 10)).toEqual({ take: true });
});

test('one more than the limit is turned away', () => {
  expect(loadVerdict({ ...idle, inFlight: 10 }, 10)).toEqual({ take: false, because: 'requests' });
});

test('a full heap turns away whatever comes, before it is quite full', () => {
  expect(loadVerdict({ ...idle, usedBytes: 71 }, 10)).toEqual({ take: false, because: 'memory' });
});
