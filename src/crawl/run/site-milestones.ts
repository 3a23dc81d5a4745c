// What is known about the site of a run as milestones: the first thousand downloads of a host are awarded in the crawl that reaches them, and
// a crawl without bounds says which ones should have come first.

import { downloadsReached, MILESTONE_DOWNLOADS } from '../../core/analysis/host-tally.ts';
import { missingPrerequisites } from '../../core/analysis/prerequisites.ts';
import { storedPages } from '../../core/model/outcome.ts';
import { hostOf } from '../../core/model/page-url.ts';
import type { Store } from '../../store/port.ts';
import type { Run } from '../../store/port/runs.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlContext } from '../page/crawl-context.ts';

/** The hosts are read only when one of them may have reached the number, which the counts of the run tell. */
export function createDownloadAwards(
  { analysis }: Pick<Store, 'analysis'>,
  isLocal: boolean,
): (run: Run) => Promise<void> {
  const awarded = new Set<string>();
  let nextPages = isLocal ? Number.POSITIVE_INFINITY : 0;
  return async ({ id, version, counts }) => {
    const pages = storedPages(counts);
    if (pages < nextPages) return;
    let missing = MILESTONE_DOWNLOADS;
    for (const [host, downloads] of await analysis.downloads(version)) {
      if (downloads < MILESTONE_DOWNLOADS) missing = Math.min(missing, MILESTONE_DOWNLOADS - downloads);
      else if (!awarded.has(host)) {
        await analysis.award(version, downloadsReached(host, downloads), id);
        awarded.add(host);
      }
    }
    nextPages = pages + missing;
  };
}

/** The run goes on all the same. */
export async function reportPrerequisites(
  { id, source, version }: Run,
  { startUrl, settings }: RunRules,
  { ports: { store }, report }: Pick<CrawlContext, 'ports' | 'report'>,
): Promise<void> {
  if (settings.scope !== 'domain' || settings.maxPages !== null) return;
  const earlier = await store.runs.listPage({ source, state: null, before: id, after: null, limit: 1 });
  if (earlier.length === 0) return;
  const missing = missingPrerequisites(await store.analysis.reachedOnce(version));
  if (missing.length === 0) return;
  await report({
    run: id,
    kind: 'prerequisites-missing',
    severity: 'info',
    scope: hostOf(startUrl),
    target: startUrl,
    message: `A whole domain is crawled before its site is known: ${missing.join(', ')}`,
    details: { missing: [...missing] },
  });
}
