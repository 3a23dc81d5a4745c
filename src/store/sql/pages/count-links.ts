// Counts the links to each page at the end of a run, from what its pages changed. link_counts has the links to every URL, so that a
// page that is new finds those that unchanged pages already had to it.

import type { RunLease } from '../../port/runs.ts';
import { hex } from '../engine/codec.ts';
import { batch, perRow, type Engine, type Executor } from '../engine/engine.ts';
import { FIRST_KEY } from '../engine/key-window.ts';
import { underLease } from '../runs/run-row.ts';
import { deleteMarks, selectMarkedKeys } from './change-marks.ts';
import { countAllLinks, linkPrefix, linkTargets, prefixBounds, prefixBytes } from './link-counts.ts';

/** Counting all is cheaper if more than this part of a version changed. */
const MAX_CHANGED_PART = 10;
const FEW_CHANGES = 200;
const PAGES_PER_TRANSACTION = 100;
const ROWS_PER_TRANSACTION = 5000;

const KEY = { url_key: 'bytes' } as const;

const selectState = `select links_counted, pages + duplicates as pages from version_counts where version_id = $1`;
const setCounted = `update version_counts set links_counted = $2 where version_id = $1`;
const selectManyMarks = `select seq from link_marks where version_id = $1 limit 1 offset $2`;

const MARKS = (['link_marks', 'duplicate_marks'] as const).map((marks) => ({
  select: selectMarkedKeys(marks),
  remove: deleteMarks(marks),
}));
const LINK_MARKS = MARKS.slice(0, 1);
const selectChangedKeys = selectMarkedKeys('link_marks');
const deleteChanged = deleteMarks('link_marks');

const selectCounted = batch(
  KEY,
  `select seq, link_marks.url_key, counted from link_marks, {rows} r where version_id = $1 and link_marks.url_key = r.url_key`,
  ['int'],
);
const selectCurrent = batch(
  KEY,
  `select p.url_key, p.alias_key, l.targets from pages p left join page_links l on l.version_id = p.version_id and l.url_key = p.url_key, {rows} r
   where p.version_id = $1 and p.url_key = r.url_key`,
  ['int'],
);

const TARGET = { target: 'bytes', links: 'int' } as const;
const addToCounts = batch(
  TARGET,
  `insert into link_counts (version_id, target, links) select $1, r.target, r.links from {rows} r where true
   on conflict (version_id, target) do update set links = link_counts.links + excluded.links`,
  ['int'],
);
const setCounts = batch(
  TARGET,
  `insert into link_counts (version_id, target, links) select $1, r.target, r.links from {rows} r where true
   on conflict (version_id, target) do update set links = excluded.links`,
  ['int'],
);
const deleteZero = batch(
  { target: 'bytes' },
  `delete from link_counts where version_id = $1 and target in (select r.target from {rows} r) and links = 0`,
  ['int'],
);
const selectCounts = batch(
  { target: 'bytes' },
  `select link_counts.target, links from link_counts, {rows} r where version_id = $1 and link_counts.target = r.target`,
  ['int'],
);
const selectAllCounts = `select target, links from link_counts where version_id = $1 and target > $2 order by target limit $3`;

/** Keys of a version do not share a prefix; see LINK_KEY_BYTES. */
const selectLinked = perRow(
  batch(
    { first: 'bytes', last: 'bytes' },
    `select p.url_key, p.alias_key from pages p, {rows} r where p.version_id = $1 and p.url_key >= r.first and p.url_key <= r.last limit 2`,
    ['int'],
  ),
);
const selectPage = batch(
  KEY,
  `select pages.url_key, alias_key from pages, {rows} r where version_id = $1 and pages.url_key = r.url_key`,
  ['int'],
);
const selectDuplicates = batch(
  KEY,
  `select pages.url_key, alias_key from pages, {rows} r where version_id = $1 and alias_key = r.url_key`,
  ['int'],
);
const addInlinks = batch(
  { ...KEY, links: 'int' },
  `update pages set inlinks = pages.inlinks + r.links from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int'],
);
const setInlinks = batch(
  { ...KEY, links: 'int' },
  `update pages set inlinks = r.links from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key and pages.inlinks <> r.links`,
  ['int'],
);

interface KeyRow {
  readonly url_key: Uint8Array;
}

interface PageRow extends KeyRow {
  readonly alias_key: Uint8Array | null;
}

export async function countLinks(engine: Engine, lease: RunLease): Promise<void> {
  const { version } = lease.run;
  const [state] = await engine.reader.all<{ links_counted: number; pages: number }>(selectState, [version]);
  if (state === undefined) return;
  const few = Math.max(FEW_CHANGES, Math.floor(state.pages / MAX_CHANGED_PART));
  const isMany = (await engine.reader.all(selectManyMarks, [version, few])).length > 0;
  if (state.links_counted === 0 || isMany) return countAll(engine, lease);
  for (let after: Uint8Array | null = FIRST_KEY; after !== null;) {
    const from: Uint8Array = after;
    after = await underLease<Uint8Array | null>(engine, lease, null, (tx) => addChanges(tx, version, from));
  }
}

/** Between its first and its last step nothing is known, so after a kill the next run counts all. */
async function countAll(engine: Engine, lease: RunLease): Promise<void> {
  const { version } = lease.run;
  const mark = (isCounted: 0 | 1): Promise<boolean> =>
    underLease(engine, lease, false, async (tx) => {
      await tx.all(setCounted, [version, isCounted]);
      return true;
    });
  if (!(await mark(0))) return;
  const targets = await countAllLinks(engine, lease);
  await forgetMarks(engine, lease, LINK_MARKS);
  if (targets === null) return;
  await replaceCounts(engine, lease, targets);
  await mark(1);
}

export async function forgetChanged(engine: Engine, lease: RunLease): Promise<void> {
  await forgetMarks(engine, lease, MARKS);
}

async function forgetMarks(engine: Engine, lease: RunLease, marks: typeof MARKS): Promise<void> {
  const { version } = lease.run;
  for (const { select, remove } of marks)
    for (let after: Uint8Array | undefined = FIRST_KEY; after !== undefined;) {
      const rows: KeyRow[] = await engine.reader.all<KeyRow>(select, [version, after, ROWS_PER_TRANSACTION]);
      const keys = rows.map(({ url_key }) => [url_key]);
      await underLease(engine, lease, undefined, async (tx) => void (await tx.each(remove, keys, [version])));
      after = rows.length < ROWS_PER_TRANSACTION ? undefined : rows.at(-1)?.url_key;
    }
}

/** Uses up `targets`. */
async function replaceCounts(engine: Engine, lease: RunLease, targets: Map<string, number>): Promise<void> {
  const { version } = lease.run;
  const write = (rows: ReadonlyArray<readonly [Uint8Array, number]>): Promise<void> =>
    underLease(engine, lease, undefined, async (tx) => {
      await tx.each(setCounts, rows, [version]);
      await tx.each(
        deleteZero,
        rows.filter(([, links]) => links === 0).map(([target]) => [target]),
        [version],
      );
    });
  for (let after: Uint8Array | undefined = FIRST_KEY; after !== undefined;) {
    const values = [version, after, ROWS_PER_TRANSACTION];
    const rows: CountRow[] = await engine.reader.all<CountRow>(selectAllCounts, values);
    const changed: Array<readonly [Uint8Array, number]> = [];
    for (const { target, links } of rows) {
      const prefix = linkPrefix(target);
      const now = targets.get(prefix) ?? 0;
      targets.delete(prefix);
      if (now !== links) changed.push([target, now]);
    }
    if (changed.length > 0) await write(changed);
    after = rows.length < ROWS_PER_TRANSACTION ? undefined : rows.at(-1)?.target;
  }
  const added = [...targets].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (let at = 0; at < added.length; at += ROWS_PER_TRANSACTION)
    await write(added.slice(at, at + ROWS_PER_TRANSACTION).map(([prefix, links]) => [prefixBytes(prefix), links]));
}

interface CountRow {
  readonly target: Uint8Array;
  readonly links: number;
}

/** Returns the key of the last page; null if there are no more. */
async function addChanges(tx: Executor, version: number, after: Uint8Array): Promise<Uint8Array | null> {
  const keys = await tx.all<KeyRow>(selectChangedKeys, [version, after, PAGES_PER_TRANSACTION]);
  const rows = keys.map(({ url_key }) => [url_key]);
  const current = await tx.each<PageRow & { targets: Uint8Array | null }>(selectCurrent, rows, [version]);
  const changes = linkChanges(await readCounted(tx, version, rows), current);
  await addTargets(tx, version, changes);
  const canonicals = current.map(({ url_key, alias_key }) => alias_key ?? url_key);
  await updatePages(tx, version, changes, new Map(canonicals.map((key) => [hex(key), key])));
  await tx.each(deleteChanged, rows, [version]);
  return keys.length < PAGES_PER_TRANSACTION ? null : (keys.at(-1)?.url_key ?? null);
}

interface CountedRow extends KeyRow {
  readonly seq: number;
  readonly counted: Uint8Array | null;
}

/** What link_counts has of each page whose links have changed. */
async function readCounted(
  tx: Executor,
  version: number,
  rows: ReadonlyArray<readonly Uint8Array[]>,
): Promise<ReadonlyArray<{ readonly url_key: Uint8Array; readonly targets: Uint8Array }>> {
  const counted = new Map<string, { readonly url_key: Uint8Array; readonly targets: Uint8Array }>();
  const marks = await tx.each<CountedRow>(selectCounted, rows, [version]);
  for (const { url_key, counted: targets } of marks.toSorted((a, b) => a.seq - b.seq))
    if (targets !== null && !counted.has(hex(url_key))) counted.set(hex(url_key), { url_key, targets });
  return [...counted.values()];
}

/** By prefix of the target. */
function linkChanges(
  counted: ReadonlyArray<{ readonly url_key: Uint8Array; readonly targets: Uint8Array }>,
  current: ReadonlyArray<PageRow & { readonly targets: Uint8Array | null }>,
): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  const add = (target: string, links: number): void => void changes.set(target, (changes.get(target) ?? 0) + links);
  const currentOf = new Map(current.map((row) => [hex(row.url_key), row]));
  for (const before of counted) {
    for (const target of linkTargets(before)) add(target, -1);
    const page = currentOf.get(hex(before.url_key));
    if (page === undefined || page.alias_key !== null || page.targets === null) continue;
    for (const target of linkTargets({ url_key: page.url_key, targets: page.targets })) add(target, 1);
  }
  return new Map([...changes].filter(([, links]) => links !== 0));
}

async function addTargets(tx: Executor, version: number, changes: ReadonlyMap<string, number>): Promise<void> {
  const rows = Array.from(changes, ([prefix, links]) => [prefixBytes(prefix), links] as const);
  await tx.each(addToCounts, rows, [version]);
  const fewer = rows.filter(([, links]) => links < 0);
  await tx.each(
    deleteZero,
    fewer.map(([target]) => [target]),
    [version],
  );
}

/** `recounted` are canonical pages that are new, or whose duplicates have changed. */
async function updatePages(
  tx: Executor,
  version: number,
  changes: ReadonlyMap<string, number>,
  recounted: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const linked = await tx.each<PageRow>(selectLinked, [...changes.keys()].map(prefixBounds), [version]);
  const added = new Map<string, [Uint8Array, number]>();
  for (const { url_key, alias_key } of linked) {
    const key = alias_key ?? url_key;
    if (recounted.has(hex(key))) continue;
    const links = (added.get(hex(key))?.[1] ?? 0) + (changes.get(linkPrefix(url_key)) ?? 0);
    added.set(hex(key), [key, links]);
  }
  await tx.each(addInlinks, [...added.values()], [version]);
  await tx.each(setInlinks, await recount(tx, version, recounted), [version]);
}

async function recount(
  tx: Executor,
  version: number,
  canonicals: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyArray<readonly [Uint8Array, number]>> {
  const rows = Array.from(canonicals.values(), (key) => [key]);
  const members = [
    ...(await tx.each<PageRow>(selectPage, rows, [version])),
    ...(await tx.each<PageRow>(selectDuplicates, rows, [version])),
  ];
  const targets = members.map(({ url_key }) => [prefixBytes(linkPrefix(url_key))]);
  const counts = await tx.each<CountRow>(selectCounts, targets, [version]);
  const linksOf = new Map(counts.map(({ target, links }) => [linkPrefix(target), links]));
  const sums = new Map<string, number>();
  for (const { url_key, alias_key } of members) {
    const canonical = hex(alias_key ?? url_key);
    sums.set(canonical, (sums.get(canonical) ?? 0) + (linksOf.get(linkPrefix(url_key)) ?? 0));
  }
  return Array.from(canonicals, ([digits, key]) => [key, sums.get(digits) ?? 0] as const);
}
