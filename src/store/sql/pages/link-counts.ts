// Counts the links between all pages of a version. Links are stored per page, so this reads all of them, some pages at a time.

import { urlKey, type PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { LinkedPage } from '../../port/pages.ts';
import type { RunLease } from '../../port/runs.ts';
import { hashBytes } from '../engine/codec.ts';
import { FIRST_KEY } from '../engine/key-window.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { underLease } from '../runs/run-row.ts';
import { LINK_KEY_BYTES } from './write-pages.ts';
import { compareText } from '../../../core/text/compare-text.ts';

const PAGES_PER_READ = 500;
/** Targets that are looked up: many are pages of other sites, which most pages link to. */
const MAX_LOOKUPS = 2000;
/** Links to further targets are not counted, so that memory is bounded. */
const MAX_TARGETS = 2_000_000;

const selectLinks = `select l.url_key, l.targets from page_links l join pages p on p.version_id = l.version_id and p.url_key = l.url_key
  where l.version_id = $1 and l.url_key > $2 and p.alias_key is null order by l.url_key limit $3`;

/** A duplicate is read as its canonical page. */
const selectByPrefix = `select c.url, c.title from pages p join pages c on c.version_id = p.version_id and c.url_key = coalesce(p.alias_key, p.url_key)
  where p.version_id = $1 and p.url_key >= $2 and p.url_key <= $3 limit 1`;

const selectAliases = `select url_key, alias_key from pages where version_id = $1 and alias_key is not null and url_key > $2 order by url_key limit $3`;
const selectCounts = `select url_key, inlinks from pages where version_id = $1 and alias_key is null and url_key > $2 order by url_key limit $3`;

const updateCount = batch(
  { url_key: 'bytes', inlinks: 'int' },
  `update pages set inlinks = r.inlinks from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int'],
);

export interface LinksRow {
  readonly url_key: Uint8Array;
  readonly targets: Uint8Array;
}

export async function readMostLinked(reader: Executor, version: VersionId, limit: number): Promise<LinkedPage[]> {
  const counts = await countTargets(reader, version);
  const targets = [...counts].sort(([a, left], [b, right]) => right - left || compareText(a, b));
  const found = new Map<PageUrl, LinkedPage>();
  for (const [prefix, links] of targets.slice(0, MAX_LOOKUPS)) {
    if (found.size === limit) break;
    const bounds = prefixBounds(prefix);
    const [page] = await reader.all<{ url: PageUrl; title: string }>(selectByPrefix, [version, ...bounds]);
    if (page !== undefined) found.set(page.url, { ...page, links: links + (found.get(page.url)?.links ?? 0) });
  }
  return [...found.values()].sort((a, b) => b.links - a.links || compareText(a.url, b.url));
}

/** Only counts that have changed are written. */
export async function saveLinkCounts(
  engine: Engine,
  version: VersionId,
  provided: ReadonlyMap<PageUrl, number>,
): Promise<void> {
  await saveByPrefix(engine, version, byPrefix(provided), (work) => engine.transaction(work));
}

/** Counts the links of the whole version. Returns the counts of all targets, by prefix; null if there are too many to keep them. */
export async function countAllLinks(engine: Engine, lease: RunLease): Promise<Map<string, number> | null> {
  const { version } = lease.run;
  const targets = await countTargets(engine.reader, version);
  const counts = await withAliases(engine, version, targets);
  await saveByPrefix(engine, version, counts, (work) => underLease(engine, lease, undefined, work));
  return targets.size < MAX_TARGETS ? targets : null;
}

async function saveByPrefix(
  engine: Engine,
  version: number,
  counts: ReadonlyMap<string, number>,
  inTransaction: (work: (tx: Executor) => Promise<void>) => Promise<void>,
): Promise<void> {
  const stored = eachRow<{ url_key: Uint8Array; inlinks: number }>(engine.reader, selectCounts, version);
  for await (const rows of stored) {
    const changed = rows
      .map(({ url_key, inlinks }) => ({ url_key, before: inlinks, now: counts.get(linkPrefix(url_key)) ?? 0 }))
      .filter(({ before, now }) => before !== now);
    if (changed.length === 0) continue;
    const values = changed.map(({ url_key, now }) => [url_key, now]);
    await inTransaction(async (tx) => void (await tx.each(updateCount, values, [version])));
  }
}

function byPrefix(counts: ReadonlyMap<PageUrl, number>): ReadonlyMap<string, number> {
  return new Map([...counts].map(([url, count]) => [linkPrefix(hashBytes(urlKey(url))), count]));
}

/** By the prefix of the target's key. A link to a duplicate counts for its canonical page. */
async function withAliases(
  engine: Engine,
  version: number,
  targets: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>(targets);
  const aliases = eachRow<{ url_key: Uint8Array; alias_key: Uint8Array }>(engine.reader, selectAliases, version);
  for await (const rows of aliases) {
    for (const { url_key, alias_key } of rows) {
      const canonical = linkPrefix(alias_key);
      counts.set(canonical, (counts.get(canonical) ?? 0) + (counts.get(linkPrefix(url_key)) ?? 0));
    }
  }
  return counts;
}

/** Rows of a version in the order of their keys, some at a time. */
async function* eachRow<Row extends { readonly url_key: Uint8Array }>(
  reader: Executor,
  statement: string,
  version: number,
): AsyncGenerator<readonly Row[]> {
  for (let after = FIRST_KEY; ;) {
    const rows = await reader.all<Row>(statement, [version, after, PAGES_PER_READ]);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGES_PER_READ) return;
    after = last.url_key;
  }
}

/** By the bytes of the target's key prefix, as characters. */
async function countTargets(reader: Executor, version: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const rows of eachRow<LinksRow>(reader, selectLinks, version)) {
    for (const row of rows) for (const target of linkTargets(row)) countUp(counts, target);
  }
  return counts;
}

function countUp(counts: Map<string, number>, target: string): void {
  const count = counts.get(target);
  if (count !== undefined || counts.size < MAX_TARGETS) counts.set(target, (count ?? 0) + 1);
}

/** Each once, without the page itself. */
export function linkTargets({ url_key, targets }: LinksRow): ReadonlySet<string> {
  const bytes = Buffer.from(targets.buffer, targets.byteOffset, targets.byteLength);
  const found = new Set<string>();
  for (let at = 0; at < bytes.length; at += LINK_KEY_BYTES)
    found.add(bytes.toString('latin1', at, at + LINK_KEY_BYTES));
  found.delete(linkPrefix(url_key));
  return found;
}

/** The lowest and the highest key with a prefix. */
export function prefixBounds(prefix: string): readonly [Uint8Array, Uint8Array] {
  const filled = (byte: number): Uint8Array => Buffer.alloc(16, byte).fill(prefix, 0, LINK_KEY_BYTES, 'latin1');
  return [filled(0), filled(255)];
}

export function prefixBytes(prefix: string): Uint8Array {
  return Buffer.from(prefix, 'latin1');
}

export function linkPrefix(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1', 0, LINK_KEY_BYTES);
}
