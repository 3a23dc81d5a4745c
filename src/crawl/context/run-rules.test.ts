import { expect, test } from 'vitest';
import { createSeenLinks } from '../../operate/seen-links.ts';

const link = (url: string) => ({ url });

test('a link is new until it is remembered', () => {
  const seen = createSeenLinks();
  expect(seen.unseen([link('a'), link('b')])).toEqual([link('a'), link('b')]);
  seen.remember([link('a')]);
  expect(seen.unseen([link('a'), link('b')])).toEqual([link('b')]);
});
