// Folds pages into others that say the same, and finds which may be folded. A folded page keeps its row, its validators
// and its body, and loses its chunks.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { FoldablePage, FoldChange, Pages, RunLease } from '../../port.ts';
import { hashBytes, hashOf, hex, keyBytes } from '../engine/codec.ts';
import { createTally } from '../runs/tally.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Value } from '../engine/engine.ts';
import { holdsLease } from '../holds-lease.ts';
import { chunkDigest, chunksBefore, replaceChunks } from './replace-chunks.ts';
import { standAgain } from '../stand-again.ts';

const foldable = `select p.url_key, p.url, p.twin_hash, p.canonical, p.alias_key from pages p where p.version_id = $1 and p.url_key > $2
    and (p.alias_key is not null or p.canonical <> p.url
      or exists (select 1 from pages twin where twin.version_id = p.version_id and twin.twin_hash = p.twin_hash and twin.url_key <> p.url_key))
  order by p.url_key limit $3`;

const whereTo = batch(
  { url_key: 'bytes' },
  `select f.url_key, f.outcome, f.target_key, p.url as page_url from frontier f
     left join pages p on p.version_id = f.version_id and p.url_key = f.url_key, {rows} r
   where f.version_id = $1 and f.url_key = r.url_key`,
  ['int'],
);

const foldInto = batch(
  { url_key: 'bytes', alias_key: 'bytes' },
  `update pages set alias_key = r.alias_key, n_chunks = 0, chunk_digest = $2 from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int', 'bytes'],
);

const outcomesOf = batch(
  { url_key: 'bytes' },
  `select frontier.run_id, frontier.outcome from frontier, {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = 3 and frontier.outcome in (1, 2, 3)`,
  ['int'],
);

const settleAsMoved = batch(
  { url_key: 'bytes', alias_key: 'bytes' },
  `update frontier set outcome = 6, target_key = r.alias_key from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = 3 and frontier.outcome in (1, 2, 3, 6)`,
  ['int'],
);

/** Longer chains of redirects lead nowhere. */
const MOST_STEPS = 12;

interface FoldableRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly twin_hash: Uint8Array | null;
  readonly canonical: string | null;
  readonly alias_key: Uint8Array | null;
}

interface PlaceRow {
  readonly url_key: Uint8Array;
  readonly outcome: number | null;
  readonly target_key: Uint8Array | null;
  readonly page_url: string | null;
}

export function createFolds(engine: Engine, parts: EngineParts): Pick<Pages, 'foldable' | 'standing' | 'fold'> {
  return {
    async foldable(version, after, limit) {
      const rows = await engine.reader.all<FoldableRow>(foldable, [version, hashBytes(after ?? ''), limit]);
      const last = rows.at(-1);
      return {
        pages: rows.map(foldableOf),
        after: last === undefined || rows.length < limit ? null : hex(last.url_key),
      };
    },
    async standing(version, urls) {
      const found = new Map<PageUrl, PageUrl>();
      let asked = new Map(urls.map((url) => [url, keyBytes(url)]));
      for (let step = 0; step < MOST_STEPS && asked.size > 0; step += 1) {
        const keys = new Map([...asked.values()].map((key) => [hex(key), key]));
        const rows = await engine.reader.each<PlaceRow>(
          whereTo,
          [...keys.values()].map((key) => [key]),
          [version],
        );
        const places = new Map(rows.map((row) => [hex(row.url_key), row]));
        const further = new Map<PageUrl, Uint8Array>();
        for (const [url, key] of asked) {
          const place = places.get(hex(key));
          if (place?.page_url != null) found.set(url, place.page_url as PageUrl);
          else if (place?.outcome === OUTCOME_CODES.moved && place.target_key !== null)
            further.set(url, place.target_key);
        }
        asked = further;
      }
      return found;
    },
    fold: (lease, changes) => foldPages(engine, parts, lease, changes),
  };
}

async function foldPages(
  engine: Engine,
  parts: EngineParts,
  lease: RunLease,
  changes: readonly FoldChange[],
): Promise<void> {
  const { run } = lease;
  const folded = changes.flatMap(({ url, into }) => (into === null ? [] : [[keyBytes(url), keyBytes(into)] as const]));
  const freed = changes.filter(({ into }) => into === null).map(({ url }) => keyBytes(url));
  await engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return;
    const tally = createTally();
    await standAgain(tx, run, freed, tally);
    const pages = folded.map(([key]) => ({ version: run.version, key, title: '', chunks: [], known: true }));
    await replaceChunks(tx, parts, pages, await chunksBefore(tx, pages));
    await tx.each(foldInto, folded, [run.version, chunkDigest([])]);
    const before = await tx.each<{ run_id: number; outcome: number }>(
      outcomesOf,
      folded.map(([key]): Value[] => [key]),
      [run.version],
    );
    await tx.each(settleAsMoved, folded, [run.version]);
    for (const { run_id, outcome } of before) {
      if (run_id !== run.id) continue;
      tally.count(run.id, nameOf(outcome), -1);
      tally.count(run.id, 'moved', 1);
    }
    for (const { url, into } of changes)
      tally.tell({
        source: run.source,
        run: run.id,
        kind: into === null ? 'unfolded' : 'folded',
        url,
        detail: { into },
      });
    await tally.write(tx);
  });
}

function nameOf(outcome: number): OutcomeName {
  return outcome === OUTCOME_CODES.new ? 'new' : outcome === OUTCOME_CODES.changed ? 'changed' : 'unchanged';
}

function foldableOf(row: FoldableRow): FoldablePage {
  return {
    url: row.url as PageUrl,
    twinHash: row.twin_hash === null ? null : hashOf(row.twin_hash),
    canonical: row.canonical as PageUrl | null,
    aliasOf: row.alias_key === null ? null : (hex(row.alias_key) as UrlKey),
  };
}
