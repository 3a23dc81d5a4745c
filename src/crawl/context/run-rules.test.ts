import { expect, test } from 'vitest';
import { createEnqueuedLinksCache } from './run-rules.ts';

const link = (url: string) => ({ url });

test('a link is new until it is added', () => {
  const seen = createEnqueuedLinksCache();
  expect(seen.notEnqueued([link('a'), link('b')])).toEqual([link('a'), link('b')]);
  seen.add([link('a')]);
  expect(seen.notEnqueued([link('a'), link('b')])).toEqual([link('b')]);
});
