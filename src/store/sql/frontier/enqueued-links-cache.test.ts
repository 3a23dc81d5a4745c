import { expect, test } from 'vitest';
import { pageUrl } from '../../../core/model/page-url.ts';
import type { FoundBy, Settlement } from '../../port.ts';
import { createMetLinks } from './enqueued-links-cache.ts';

const url = pageUrl('https://docs.example.dev/a');
const other = pageUrl('https://docs.example.dev/b');

function settlement(run: number, foundBy: FoundBy, refused: readonly string[] = []): Settlement {
  const found = { depth: 1, foundBy, parent: null };
  return {
    claim: { run } as unknown as Settlement['claim'],
    outcome: { kind: 'failed', reason: 'test' },
    links: [{ url, rank: 1, ...found }],
    refused: refused.map((each) => ({ url: pageUrl(each), reason: 'test', ...found })),
    bytes: 0,
  };
}

test('a link is offered once to a run, and again to another run', () => {
  const met = createMetLinks();
  expect(met.unmet(settlement(1, 'link'), true).links).toHaveLength(1);
  met.remember([settlement(1, 'link')]);
  expect(met.unmet(settlement(1, 'link'), true).links).toHaveLength(0);
  expect(met.unmet(settlement(2, 'link'), true).links).toHaveLength(1);
});

test('what a site states of a page is offered although a link named it before', () => {
  const met = createMetLinks();
  met.remember([settlement(1, 'link')]);
  expect(met.unmet(settlement(1, 'sitemap'), true).links).toHaveLength(1);
});

test('a refusal is recorded once in the first run of a version, and each time in later ones', () => {
  const met = createMetLinks();
  met.remember([settlement(1, 'link', [other])]);
  expect(met.unmet(settlement(1, 'link', [other]), true).refused).toHaveLength(0);
  expect(met.unmet(settlement(1, 'link', [other]), false).refused).toHaveLength(1);
});
