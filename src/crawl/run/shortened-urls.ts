// In a run with a maximum depth, a page may have been fetched on a longer path than the shortest, because the page that shows that one
// needed a second try. Its links are then offered again from its stored body, without a request.

import { linkCandidates } from '../../core/discover/link-candidates.ts';
import { pageDirectives } from '../../core/discover/robots/robots-meta.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import { decompressBody } from '../../platform/compress-body.ts';
import type { ShortenedUrl } from '../../store/port/frontier.ts';
import type { StoredDocument } from '../../store/port/pages.ts';
import type { RunLease } from '../../store/port/runs.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { admitUrls, type AdmissionContext, type FoundUrl, linkUrls } from '../site/admit-urls.ts';

const BATCH_SIZE = 100;

/** Called while the run is drained; true if it may have work again. */
export async function offerLinksAgain(lease: RunLease, deps: CrawlContext, signal: AbortSignal): Promise<boolean> {
  const { run } = lease;
  const { frontier } = deps.ports.store;
  const rules = await deps.loadRunRules(run.id);
  const { maxDepth, preset } = rules.settings;
  if (maxDepth === null || run.mode === 'refresh' || !PRESETS[preset].links) return false;
  const urls = await frontier.shortened(lease, BATCH_SIZE);
  if (urls.length === 0) return false;
  const { route } = await deps.loadSiteProfile(run.id, run.version);
  const admission: AdmissionContext = { rules, robots: deps.robots, route };
  for (const url of urls) {
    signal.throwIfAborted();
    const { links, excluded } = admitUrls(await foundOn(url, lease, deps, signal), admission);
    await frontier.exclude(run.id, excluded);
    await frontier.enqueue(run.id, links);
  }
  await frontier.settleDepths(lease, urls);
  return true;
}

async function foundOn(
  { url, depth, movedTo }: ShortenedUrl,
  { run }: RunLease,
  { ports }: CrawlContext,
  signal: AbortSignal,
): Promise<readonly FoundUrl[]> {
  if (movedTo !== null) return [{ href: movedTo, depth, foundBy: 'link', parent: url }];
  const stored = await ports.store.pages.get(run.version, url);
  if (stored === null || stored.body === null) return [];
  try {
    const body = decompressBody(stored.body);
    const { document, metadata } = await ports.parser.parse({ url, mediaType: stored.mediaType, body }, signal);
    const metas = metadata.robotsMeta.map((content) => ({ name: 'robots', content }));
    const { follow } = pageDirectives([robotsTagOf(stored)], metas);
    return linkUrls(linkCandidates({ page: url, depth, links: document.links, follow }).candidates, url);
  } catch (error) {
    if (signal.aborted || !(error instanceof PinakesError)) throw error;
    return [];
  }
}

function robotsTagOf({ responseMeta }: StoredDocument): string {
  const headers = responseMeta['headers'];
  const isRecord = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  const value = isRecord ? (headers as Readonly<Record<string, unknown>>)['x-robots-tag'] : undefined;
  return typeof value === 'string' ? value : '';
}
