// A site that exists only as arithmetic: the same number gives the same URL, response and links in every process, so
// the expected result of a crawl is known without crawling. An edition is the site at a later day: some texts are new,
// some pages are absent.

import { pageUrl, type PageUrl } from '../../src/core/model/page-url.ts';
import type { Claim, Outcome, Settlement } from '../../src/store/port/frontier.ts';
import { frontierEntry, indexedOutcome } from './run-fixture.ts';

export interface Site {
  readonly size: number;
  readonly start: PageUrl;
  /** URLs that must have a page after a crawl of the edition, with the text that it begins with. */
  pagesAt(edition: number): ReadonlyMap<PageUrl, string>;
  /** What a worker settles after fetching a claimed URL. `stamp` makes the text of each copy unique. */
  answer(claim: Claim, edition: number, stamp?: string): Settlement;
}

type Kind = 'page' | 'absent' | 'failed' | 'moved' | 'skipped';

export function createSite(size: number, hosts: number): Site {
  const urls = Array.from({ length: size }, (_, i) => pageUrl(`https://h${i % hosts}.site.test/p/${i}`));
  const numberOf = new Map(urls.map((url, i) => [url, i]));

  const outcomeOf = (claim: Claim, i: number, at: { edition: number; stamp: string }): Outcome => {
    const kind = kindOf(i, at.edition);
    switch (kind) {
      case 'page': {
        const texts = textsOf(i, at.edition).map((text) => `${text}${at.stamp}`);
        const fresh = indexedOutcome(claim.url, ...texts);
        const same = fresh.kind === 'indexed' && fresh.page.contentHash === claim.previous?.contentHash;
        return same ? { kind: 'unchanged', etag: null, lastModified: null } : fresh;
      }
      case 'absent':
        return { kind: 'missing', reason: 'status 404' };
      case 'moved':
        return { kind: 'moved', to: urls[i - 1]! };
      case 'failed':
      case 'skipped':
        return { kind, reason: `shrunk: number ${i} is ${kind}` };
    }
  };

  return {
    size,
    start: urls[0]!,
    pagesAt(edition) {
      const pages = urls.flatMap((url, i) =>
        kindOf(i, edition) === 'page' ? [[url, textsOf(i, edition)[0]!] as const] : [],
      );
      return new Map(pages);
    },
    answer(claim, edition, stamp = '') {
      const i = numberOf.get(claim.url);
      if (i === undefined) throw new Error(`${claim.url} is not on the site`);
      // A move is settled together with its target, so that an alias always has a target.
      const target = kindOf(i, edition) === 'moved' ? [i - 1] : [];
      const links = [...target, ...linksOf(i, size)].map((to) =>
        frontierEntry(urls[to]!, { depth: claim.depth + 1, foundBy: 'link', parent: claim.url }),
      );
      return { claim, outcome: outcomeOf(claim, i, { edition, stamp }), links, excluded: [], bytes: 100 };
    },
  };
}

function textsOf(i: number, edition: number): readonly string[] {
  return [
    `Page ${i}, revision ${Math.floor((i + edition) / 3)}`,
    `What never changes on page ${i}`,
    'A sentence that every page has',
  ];
}

function kindOf(i: number, edition: number): Kind {
  if (i % 29 === 7) return 'failed';
  if (i % 31 === 5) return 'moved';
  if (i % 37 === 11) return 'skipped';
  return i > 0 && (i * 7 + edition) % 41 === 0 ? 'absent' : 'page';
}

/**
 * A tree that reaches every number, and links across it that mostly exist already. Failed and moved URLs have links
 * too.
 */
function linksOf(i: number, size: number): readonly number[] {
  const tree = [2 * i + 1, 2 * i + 2].filter((child) => child < size);
  return [...new Set([...tree, (i * 7 + 3) % size, (i * 13 + 5) % size])];
}
