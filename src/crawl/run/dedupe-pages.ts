// Turns the duplicates among the pages that a run has changed into aliases of their canonical page, and aliases back into pages.

import { chooseCanonical } from '../../core/dedupe/choose-canonical.ts';
import { type PageUrl, urlKey } from '../../core/model/page-url.ts';
import type { Store } from '../../store/port.ts';
import type { AliasChange, StoredCandidate } from '../../store/port/pages.ts';
import type { RunLease } from '../../store/port/runs.ts';

/** Changed pages and redirects whose groups are read together. */
const GROUPED_CHANGES = 500;
/** A group is changed as a whole; small groups share a transaction. */
const CHANGE_BATCH_SIZE = 200;

/** The canonical page of a group depends on the stored pages alone, so after a kill the step is simply repeated. */
export async function dedupePages(lease: RunLease, { pages }: Pick<Store, 'pages'>): Promise<void> {
  for (let after: string | null = null; ;) {
    const groups = await pages.changedGroups(lease.run.version, after, GROUPED_CHANGES);
    if (groups === null) return;
    const canonicalOf = chooseCanonical(groups.pages, groups.canonicalUrls, groups.mistaken);
    const changes = aliasChanges(groups.pages, canonicalOf);
    for (const batch of changeBatches(changes)) await pages.applyAliases(lease, batch);
    await pages.groupsSettled(lease, groups.keys);
    if (groups.after === null) return;
    ({ after } = groups);
  }
}

/** By canonical page, so that a group is never split. */
function aliasChanges(
  pages: readonly StoredCandidate[],
  canonicalOf: ReadonlyMap<PageUrl, PageUrl>,
): ReadonlyMap<PageUrl, readonly AliasChange[]> {
  const groups = new Map<PageUrl, AliasChange[]>();
  for (const { url, aliasOf } of pages) {
    const canonical = canonicalOf.get(url) ?? null;
    if ((canonical === null ? null : urlKey(canonical)) === aliasOf) continue;
    const group = canonical ?? url;
    const changes = groups.get(group) ?? [];
    changes.push({ url, aliasOf: canonical });
    groups.set(group, changes);
  }
  return groups;
}

function* changeBatches(groups: ReadonlyMap<PageUrl, readonly AliasChange[]>): Iterable<readonly AliasChange[]> {
  let batch: AliasChange[] = [];
  for (const group of groups.values()) {
    batch.push(...group);
    if (batch.length < CHANGE_BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
