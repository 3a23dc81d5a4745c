// Announces what programs of a former version changed, which write pages and no changes. Whether there were any is one comparison: they
// append events without counting them as covered.

import type { PageUrl } from '../../../core/model/page-url.ts';
import { hex } from '../engine/codec.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { FIRST_KEY, nextKeyWindow } from '../engine/key-window.ts';
import { CHANGE_KIND } from '../engine/states.ts';
import { createTally } from '../runs/tally.ts';
import { chunkIds, packIds, type NewChange } from './insert-changes.ts';

/** Pages `p` with chunks that their newest change does not tell. Those from before the outbox need none until they change. */
export const untoldPages = (where: string): string =>
  `select p.url_key, p.url, p.chunk_digest, c.kind from (select p.url_key, p.url, p.chunk_digest, p.changed_at,
      (select told.position from changes told where told.version_id = p.version_id and told.url_key = p.url_key order by told.position desc limit 1) as newest
    from pages p where p.n_chunks > 0 and ${where}) p left join changes c on c.position = p.newest
  where case when p.newest is null then p.changed_at > (select untracked_until from change_log) else c.chunk_digest is null or c.chunk_digest <> p.chunk_digest end`;

/** Newest changes `c` of pages that have lost their chunks without one. */
export const untoldRemovals = (where: string): string =>
  `select c.position, c.url_key, c.url from changes c where c.kind <> ${CHANGE_KIND.removed} and ${where}
    and not exists (select 1 from changes newer where newer.version_id = c.version_id and newer.url_key = c.url_key and newer.position > c.position)
    and not exists (select 1 from pages p where p.version_id = c.version_id and p.url_key = c.url_key and p.n_chunks > 0)`;

const inWindow = (rows: string): string => `${rows}.version_id = $1 and ${rows}.url_key > $2 and ${rows}.url_key <= $3`;
const selectPages = untoldPages(inWindow('p'));
const selectRemovals = `${untoldRemovals(inWindow('c'))} limit $4`;

const selectUncovered = `select last - covered as events from event_head`;
const setCovered = `update event_head set covered = covered + $1`;
/** A transaction that changes pages takes this lock before it commits: until it is released, what is read here stays as it is. */
const lockHead = `update event_head set last = last`;
/** Also of sources that a former program has removed. */
const selectVersions = `select id as version, source_id as source from versions where source_id in (select id from sources where removed_at is null)
  union select distinct version_id, source_id from changes where version_id not in (select id from versions)`;

const PAGE = { url_key: 'bytes' } as const;
const selectChunkIds = batch(
  PAGE,
  `select chunks.url_key, chunks.chunk_id as added, null as removed, chunks.ordinal as nth from chunks, {rows} r where chunks.version_id = $1 and chunks.url_key = r.url_key`,
  ['int'],
);
const selectTold = batch(
  PAGE,
  `select changes.url_key, changes.added, changes.removed, changes.position as nth from changes, {rows} r where changes.version_id = $1 and changes.url_key = r.url_key`,
  ['int'],
);

/** Pages that one transaction looks at: all settlements wait for it. */
const WINDOW = 500;

interface Place {
  readonly version: number;
  readonly source: number;
}

interface UntoldRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  /** Null if the page has no chunks. */
  readonly chunk_digest: Uint8Array | null;
  /** Of its newest change; null without one. */
  readonly kind: number | null;
}

/** Returns how many pages it announced. */
export async function announceUntold(engine: Engine, signal: AbortSignal): Promise<number> {
  const [head] = await engine.reader.all<{ events: number }>(selectUncovered);
  if (head === undefined || head.events === 0) return 0;
  let announced = 0;
  for (const place of await engine.reader.all<Place>(selectVersions))
    for (let after = FIRST_KEY, isLast = false; !isLast;) {
      if (signal.aborted) return announced;
      const window = await nextKeyWindow(engine.reader, 'pages', place.version, { after, rows: WINDOW });
      const { found, isWhole } = await engine.transaction((tx) => announceWindow(tx, place, after, window.end));
      announced += found;
      if (!isWhole) continue;
      ({ end: after, isLast } = window);
    }
  await engine.transaction((tx) => tx.all(setCovered, [head.events]));
  return announced;
}

async function announceWindow(
  tx: Executor,
  place: Place,
  after: Uint8Array,
  end: Uint8Array,
): Promise<{ readonly found: number; readonly isWhole: boolean }> {
  await tx.all(lockHead);
  const range = [place.version, after, end];
  const pages = await tx.all<UntoldRow>(selectPages, range);
  const removals = await tx.all<Pick<UntoldRow, 'url_key' | 'url'>>(selectRemovals, [...range, WINDOW]);
  const gone = removals.map((row): UntoldRow => ({ ...row, chunk_digest: null, kind: CHANGE_KIND.changed }));
  const untold = [...pages, ...gone];
  const tally = createTally();
  tally.announce(await changesOf(tx, place, untold));
  await tally.write(tx);
  return { found: untold.length, isWhole: removals.length < WINDOW };
}

interface IdRow {
  readonly url_key: Uint8Array;
  readonly added: Uint8Array;
  readonly removed: Uint8Array | null;
  readonly nth: number;
}

/** Added are all chunks that the page has; removed are those that earlier changes told and that it has not. */
async function changesOf(tx: Executor, place: Place, untold: readonly UntoldRow[]): Promise<readonly NewChange[]> {
  const keys = untold.map((row) => [row.url_key]);
  const idsByPage = async (statement: typeof selectTold): Promise<(key: Uint8Array) => ReadonlySet<string>> => {
    const rows = await tx.each<IdRow>(statement, keys, [place.version]);
    const pages = Map.groupBy(rows, (row) => hex(row.url_key));
    return (key) => replay((pages.get(hex(key)) ?? []).toSorted((a, b) => a.nth - b.nth));
  };
  const [current, told] = [await idsByPage(selectChunkIds), await idsByPage(selectTold)];
  return untold.map(({ url_key: key, url, chunk_digest: digest, kind }) => {
    const [has, had] = [current(key), told(key)];
    return {
      ...place,
      key,
      url: url as PageUrl,
      hadChunks: kind !== null && kind !== CHANGE_KIND.removed,
      digest,
      added: packIds([...has]),
      removed: packIds([...had].filter((id) => !has.has(id))),
    };
  });
}

function replay(rows: readonly IdRow[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { added, removed } of rows) {
    for (const id of chunkIds(added)) ids.add(id);
    for (const id of chunkIds(removed ?? FIRST_KEY)) ids.delete(id);
  }
  return ids;
}
