// Folds pages that are one at the end of a run. What stands depends on the stored pages alone, so a run that was killed
// on the way is simply folded again.

import { foldVerdicts } from '../core/dedupe/choose-canonical.ts';
import { urlKey, type PageUrl } from '../core/model/page-url.ts';
import type { FoldablePage, FoldChange, RunLease, Store } from '../store/port.ts';

const PIECE = 1000;
/** A group changes as a whole; small ones share a transaction. */
const CHANGES_AT_ONCE = 200;

export async function foldPages(lease: RunLease, store: Store): Promise<void> {
  const { version } = lease.run;
  const pages = await foldablePages(version, store);
  if (pages.length === 0) return;
  const addresses = pages.flatMap(({ canonical }) => (canonical === null ? [] : [canonical]));
  const standing = await store.pages.standing(version, [...new Set(addresses)]);
  const folded = foldVerdicts(pages, standing);
  for (const piece of pieces(changesOf(pages, folded))) await store.pages.fold(lease, piece);
}

async function foldablePages(version: RunLease['run']['version'], store: Store): Promise<readonly FoldablePage[]> {
  const all: FoldablePage[] = [];
  let after: string | null = null;
  do {
    const piece = await store.pages.foldable(version, after, PIECE);
    all.push(...piece.pages);
    after = piece.after;
  } while (after !== null);
  return all;
}

/** By the page that stands, so that a group is never cut. */
function changesOf(
  pages: readonly FoldablePage[],
  folded: ReadonlyMap<PageUrl, PageUrl>,
): ReadonlyMap<PageUrl, readonly FoldChange[]> {
  const groups = new Map<PageUrl, FoldChange[]>();
  for (const { url, aliasOf } of pages) {
    const into = folded.get(url) ?? null;
    if ((into === null ? null : urlKey(into)) === aliasOf) continue;
    const group = into ?? url;
    const changes = groups.get(group) ?? [];
    changes.push({ url, into });
    groups.set(group, changes);
  }
  return groups;
}

function* pieces(groups: ReadonlyMap<PageUrl, readonly FoldChange[]>): Iterable<readonly FoldChange[]> {
  let piece: FoldChange[] = [];
  for (const group of groups.values()) {
    piece.push(...group);
    if (piece.length < CHANGES_AT_ONCE) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
