import { expect, test } from 'vitest';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { createEnqueuedLinks } from './run-rules.ts';

const link = (url: string, depth = 1) => ({ url: url as PageUrl, depth });
const [one, other] = [1 as RunId, 2 as RunId];

test('a link is new until it is added', () => {
  const seen = createEnqueuedLinks()(one);
  expect(seen.notEnqueued([link('a'), link('b')])).toEqual([link('a'), link('b')]);
  seen.add([link('a')]);
  expect(seen.notEnqueued([link('a'), link('b')])).toEqual([link('b')]);
});

test('a link is enqueued once in a run, and again in another run', () => {
  const enqueuedLinksOf = createEnqueuedLinks();
  enqueuedLinksOf(one).add([link('a')]);
  expect(enqueuedLinksOf(one).notEnqueued([link('a')])).toEqual([]);
  expect(enqueuedLinksOf(other).notEnqueued([link('a')])).toEqual([link('a')]);
});

test('a link is new again on a shorter path (finding D18)', () => {
  const seen = createEnqueuedLinks()(one);
  seen.add([link('a', 3)]);
  expect(seen.notEnqueued([link('a', 3), link('a', 4)])).toEqual([]);
  expect(seen.notEnqueued([link('a', 2)])).toEqual([link('a', 2)]);
  seen.add([link('a', 2)]);
  seen.add([link('a', 5)]);
  expect(seen.notEnqueued([link('a', 2)])).toEqual([]);
});

test('links that every page has stay cached, however many others are found', () => {
  const seen = createEnqueuedLinks(10)(one);
  const menu = ['/', '/start', '/api'].map((url) => link(url));
  seen.add(menu);
  for (let page = 0; page < 100; page += 1) {
    expect(seen.notEnqueued(menu)).toEqual([]);
    seen.add([link(`/page/${page}`), link(`/page/${page}/more`)]);
  }
});
