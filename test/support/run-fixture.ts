// Fixtures for tests of the store: a source with a live run, pages, settlements.

import { chunkId, estimateTokens, type Chunk } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl, type PageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Claim, FrontierEntry, Outcome, Settlement } from '../../src/store/port/frontier.ts';
import type { Run, RunLease } from '../../src/store/port/runs.ts';
import type { Source } from '../../src/store/port/sources.ts';

export const WORKER = 'worker-1';

export interface RunFixture {
  readonly source: Source;
  readonly run: Run;
  readonly lease: RunLease;
}

let sources = 0;

export async function createRunFixture(
  store: Store,
  urls: readonly string[] = [],
  source?: Source,
): Promise<RunFixture> {
  const owner =
    source ??
    (await store.sources.add(
      { name: `source-${(sources += 1)}`, kind: 'web', startUrl: 'https://x.dev/', settings: {} },
      '',
    ));
  const version = owner.versions[0]!;
  await store.runs.start(version.id, 'incremental', {});
  const lease = await store.runs.lease(WORKER, 60_000);
  if (lease === null) throw new Error('no run to lease');
  if (urls.length > 0)
    await store.frontier.enqueue(
      lease.run.id,
      urls.map((url) => frontierEntry(url)),
    );
  return { source: owner, run: lease.run, lease };
}

export function frontierEntry(url: string, more: Partial<FrontierEntry> = {}): FrontierEntry {
  return { url: pageUrl(url), depth: 0, foundBy: 'seed', priority: 0, parent: null, ...more };
}

export async function claimAll(store: Store, limit = 100, leaseMs = 60_000): Promise<readonly Claim[]> {
  return store.frontier.claim({ worker: WORKER, limit, leaseMs, aheadMs: 1000 });
}

export function chunksOf(url: PageUrl, texts: readonly string[]): Chunk[] {
  const seen = new Map<string, number>();
  return texts.map((text, i) => {
    const contentHash = sha256Hex(text);
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    return {
      id: chunkId(url, contentHash, nth),
      contentHash,
      passageKind: 'prose',
      headings: ['Title'],
      anchor: null,
      symbol: null,
      jsonPath: null,
      text,
      lines: { first: i + 1, last: i + 1 },
      tokens: estimateTokens(text),
    };
  });
}

export function indexedOutcome(url: PageUrl, ...texts: string[]): Outcome {
  const text = `${texts.join('\n')}\n`;
  return {
    kind: 'indexed',
    page: {
      title: 'Title',
      description: null,
      language: 'en',
      mediaType: 'text/html',
      etag: '"1"',
      lastModified: null,
      contentHash: sha256Hex(text),
      dedupeHash: sha256Hex(text),
      canonical: null,
      text,
      outline: [{ level: 1, text: 'Title', anchor: null, line: 1 }],
      pipelineVersion: 'test/1',
      metadata: {},
      responseMeta: { status: 200 },
      outlinks: [],
      body: { encoding: 'identity', bytes: new TextEncoder().encode(text) },
    },
    chunks: chunksOf(url, texts),
  };
}

export function createSettlement(claim: Claim, outcome: Outcome, links: readonly string[] = []): Settlement {
  const offers = links.map((url) => frontierEntry(url, { depth: claim.depth + 1, foundBy: 'link', parent: claim.url }));
  return { claim, outcome, links: offers, excluded: [], bytes: 100 };
}

export async function indexAll(store: Store): Promise<void> {
  while ((await store.segments.index(100)) > 0);
}
