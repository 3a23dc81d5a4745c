import { expect, test } from 'vitest';
import { pageUrl } from '../../../core/model/page-url.ts';
import type { DiscoveryKind, Settlement } from '../../port.ts';
import { createEnqueuedLinksCache } from './enqueued-links-cache.ts';

const url = pageUrl('https://docs.example.dev/a');
const other = pageUrl('https://docs.example.dev/b');

function settlement(run: number, foundBy: DiscoveryKind, excluded: readonly string[] = []): Settlement {
  const found = { depth: 1, foundBy, parent: null };
  return {
    claim: { run } as unknown as Settlement['claim'],
    outcome: { kind: 'failed', reason: 'test' },
    links: [{ url, priority: 1, ...found }],
    excluded: excluded.map((each) => ({ url: pageUrl(each), reason: 'test', ...found })),
    bytes: 0,
  };
}

test('a link is enqueued once in a run, and again in another run', () => {
  const cache = createEnqueuedLinksCache();
  expect(cache.withoutEnqueued(settlement(1, 'link'), true).links).toHaveLength(1);
  cache.add([settlement(1, 'link')]);
  expect(cache.withoutEnqueued(settlement(1, 'link'), true).links).toHaveLength(0);
  expect(cache.withoutEnqueued(settlement(2, 'link'), true).links).toHaveLength(1);
});

test('what a site publishes about a page is written although a link was found before', () => {
  const cache = createEnqueuedLinksCache();
  cache.add([settlement(1, 'link')]);
  expect(cache.withoutEnqueued(settlement(1, 'sitemap'), true).links).toHaveLength(1);
});

test('an exclusion is recorded once in the first run of a version, and each time in later ones', () => {
  const cache = createEnqueuedLinksCache();
  cache.add([settlement(1, 'link', [other])]);
  expect(cache.withoutEnqueued(settlement(1, 'link', [other]), true).excluded).toHaveLength(0);
  expect(cache.withoutEnqueued(settlement(1, 'link', [other]), false).excluded).toHaveLength(1);
});
