// node bench/store/page-revisions.ts [PAGES]: what page revisions and links cost: time to settle a page that is new, unchanged or
// changed, with links and without, bytes in the database, and the time to find backlinks and to count a queue.

import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { pageUrl, urlKey, type PageUrl } from '../../src/core/model/page-url.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/port.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { frontierEntry, createRunFixture, indexedOutcome, createSettlement } from '../../test/support/run-fixture.ts';
import { TEST_SETTINGS, thisOwner } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const PAGES = Number(process.argv[2] ?? 10_000);
const QUEUED = PAGES * 20;
const LINKS = 20;
const AT_ONCE = 100;
const directory = temporaryDirectory();
const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
try {
  const plain = await rounds(store, 0);
  const linked = await rounds(store, LINKS);
  const [version] = linked.source.versions;
  const began = performance.now();
  const found = await store.pages.backlinks(version!.id, urlOf(PAGES / 2), 200);
  const backlinksMs = performance.now() - began;
  const queueMs = await queueTime(store);
  const result = {
    pages: PAGES,
    linksPerPage: LINKS,
    msPerPage: { withoutLinks: plain.ms, withLinks: linked.ms },
    bytesPerPage: bytesOf(),
    backlinks: { found: found.length, ms: round(backlinksMs) },
    queue: { urls: QUEUED, ms: round(queueMs) },
  };
  if (process.argv[2] === undefined) writeResult('page-revisions', result);
  else console.log(result);
} finally {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
}

async function rounds(to: Store, links: number): Promise<{ source: Source; ms: Record<string, number> }> {
  const text = (word: string, url: string): string[] =>
    Array.from({ length: 8 }, (_, n) => `${url} ${n < 7 ? 'same' : word} `.repeat(15 + n));
  const outcome =
    (word: string) =>
    (url: PageUrl, nth: number): Outcome => {
      const base = indexedOutcome(url, ...text(word, url)) as Extract<Outcome, { kind: 'indexed' }>;
      const outlinks = Array.from({ length: links }, (_, n) => urlKey(urlOf((nth * 7 + n * 13) % PAGES)));
      return { ...base, page: { ...base.page, outlinks } };
    };
  const fresh = await settleRound(to, outcome('one'));
  const unchanged = await settleRound(to, () => ({ kind: 'unchanged', etag: null, lastModified: null }), fresh.source);
  const changed = await settleRound(to, outcome('two'), fresh.source);
  return { source: fresh.source, ms: { new: fresh.ms, unchanged: unchanged.ms, changed: changed.ms } };
}

async function settleRound(
  to: Store,
  outcomeOf: (url: PageUrl, nth: number) => Outcome,
  of?: Source,
): Promise<{ source: Source; ms: number }> {
  const { source, run, lease } = await createRunFixture(to, [], of);
  for (let from = 0; from < PAGES; from += 1000) {
    const entries = Array.from({ length: 1000 }, (_, n) => frontierEntry(urlOf(from + n)));
    await to.frontier.enqueue(run.id, entries);
  }
  let ms = 0;
  for (let done = 0; done < PAGES;) {
    const claims = await to.frontier.claim({ worker: 'w', limit: AT_ONCE, leaseMs: 60_000, aheadMs: 1_000_000 });
    if (claims.length === 0) throw new Error('nothing is due');
    const settlements = claims.map((claim) =>
      createSettlement(claim, outcomeOf(claim.url, Number(claim.url.split('/').at(-1)))),
    );
    const began = performance.now();
    await to.frontier.settle(settlements);
    ms += performance.now() - began;
    done += claims.length;
  }
  await to.runs.finish(lease, 'completed', null);
  return { source, ms: round(ms / PAGES) };
}

async function queueTime(of: Store): Promise<number> {
  const { run } = await createRunFixture(of);
  for (let from = 0; from < QUEUED; from += 5000)
    await of.frontier.enqueue(
      run.id,
      Array.from({ length: 5000 }, (_, n) =>
        frontierEntry(`https://q.dev/${from + n}`, { priority: n % 6, depth: n % 6 }),
      ),
    );
  const began = performance.now();
  await of.frontier.queueByDepth(run.id, QUEUED);
  return performance.now() - began;
}

function bytesOf(): Record<string, number> {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const rows = database
    .prepare(
      `select name, sum(pgsize) as bytes from dbstat where name in ('page_links', 'page_revisions', 'documents', 'pages') group by name`,
    )
    .all() as Array<{ name: string; bytes: number }>;
  database.close();
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Math.round(bytes / PAGES / 2)]));
}

function urlOf(nth: number): PageUrl {
  return pageUrl(`https://x.dev/${nth}`);
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
