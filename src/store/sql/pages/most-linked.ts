// Counts the links between the pages of a version. Links are stored per page, so this reads all of them, some pages at a time.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { LinkedPage } from '../../port.ts';
import { FIRST_KEY } from '../engine/key-window.ts';
import type { Executor } from '../engine/engine.ts';
import { LINK_KEY_BYTES } from './write-pages.ts';

const PAGES_PER_READ = 500;
/** Targets that are looked up: many are pages of other sites, which everybody links to. */
const MAX_LOOKUPS = 2000;
/** Links to further targets are not counted, so that memory is bounded. */
const MAX_TARGETS = 2_000_000;

const selectLinks = `select l.url_key, l.targets from page_links l join pages p on p.version_id = l.version_id and p.url_key = l.url_key
  where l.version_id = $1 and l.url_key > $2 and p.alias_key is null order by l.url_key limit $3`;

/** A duplicate is read as its canonical page. */
const selectByPrefix = `select c.url, c.title from pages p join pages c on c.version_id = p.version_id and c.url_key = coalesce(p.alias_key, p.url_key)
  where p.version_id = $1 and p.url_key >= $2 and p.url_key <= $3 limit 1`;

interface LinksRow {
  readonly url_key: Uint8Array;
  readonly targets: Uint8Array;
}

export async function readMostLinked(reader: Executor, version: VersionId, limit: number): Promise<LinkedPage[]> {
  const counts = await countTargets(reader, version);
  const targets = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const found = new Map<PageUrl, LinkedPage>();
  for (const [prefix, links] of targets.slice(0, MAX_LOOKUPS)) {
    if (found.size === limit) break;
    const bounds = [0, 255].map((byte) => Buffer.alloc(16, byte).fill(prefix, 0, LINK_KEY_BYTES, 'latin1'));
    const [page] = await reader.all<{ url: PageUrl; title: string }>(selectByPrefix, [version, ...bounds]);
    if (page !== undefined) found.set(page.url, { ...page, links: links + (found.get(page.url)?.links ?? 0) });
  }
  return [...found.values()].sort((a, b) => b.links - a.links || (a.url < b.url ? -1 : 1));
}

/** By the bytes of the target's key prefix, as characters. */
async function countTargets(reader: Executor, version: VersionId): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let after = FIRST_KEY; ;) {
    const rows = await reader.all<LinksRow>(selectLinks, [version, after, PAGES_PER_READ]);
    for (const row of rows) for (const target of targetsOf(row)) countUp(counts, target);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGES_PER_READ) return counts;
    after = last.url_key;
  }
}

function countUp(counts: Map<string, number>, target: string): void {
  const count = counts.get(target);
  if (count !== undefined || counts.size < MAX_TARGETS) counts.set(target, (count ?? 0) + 1);
}

/** Each once, without the page itself. */
function targetsOf({ url_key, targets }: LinksRow): ReadonlySet<string> {
  const bytes = Buffer.from(targets.buffer, targets.byteOffset, targets.byteLength);
  const found = new Set<string>();
  for (let at = 0; at < bytes.length; at += LINK_KEY_BYTES)
    found.add(bytes.toString('latin1', at, at + LINK_KEY_BYTES));
  found.delete(Buffer.from(url_key).toString('latin1', 0, LINK_KEY_BYTES));
  return found;
}
