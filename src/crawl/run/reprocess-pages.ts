// Reprocesses pages from their stored bodies, without the network: pages of an outdated extractor or chunker, and
// restored aliases. A page that cannot be reprocessed stays as it is and is marked for refetch.

import { PinakesError } from '../../core/model/errors.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { DECLARATIONS_MEDIA_TYPE } from '../../core/packages/symbol-page.ts';
import { readPackageRun } from '../../core/project/package-run.ts';
import { referenceOf, storedArchive } from '../archives/stored-archive.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { admittedCanonical } from '../site/admit-urls.ts';
import { contentHashOf, metadataOf, isCurrentPipeline, pipelineVersionOf } from '../page/stored-page.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { ReprocessedPage, StoredDocument } from '../../store/port/pages.ts';
import type { RunLease } from '../../store/port/runs.ts';
import { decompressBody } from '../../platform/compress-body.ts';

/** Pages parsed in parallel and written in one transaction. */
const BATCH_SIZE = 16;

export interface ReprocessRules {
  /** The canonical URL that a page states, if the rules of the run admit it. */
  readonly canonicalOf: (page: PageUrl, stated: string | null) => PageUrl | null;
  /** The package that the pages document; null for other sources. */
  readonly packageName: string | null;
  /** Leaves out pages of an older extractor. */
  readonly isRestoredOnly?: true;
}

export async function reprocessRules(
  { run }: RunLease,
  deps: Pick<CrawlContext, 'ports' | 'loadRunRules' | 'robots'>,
): Promise<ReprocessRules> {
  const { store } = deps.ports;
  const source = await store.sources.byId(run.source);
  if (source !== null && source.kind !== 'web') {
    const reference = referenceOf(source, await storedArchive(store, run.version));
    const archived = reference?.kind === 'package' ? reference.name : null;
    return { canonicalOf: () => null, packageName: readPackageRun(run.settings)?.name ?? archived };
  }
  const admission = { rules: await deps.loadRunRules(run.id), robots: deps.robots, route: null };
  return { canonicalOf: (page, stated) => admittedCanonical(page, stated, admission), packageName: null };
}

/** The pipeline version of aliases that became pages again and have no chunks. */
const RESTORED = '';

/** Returns how many pages were reprocessed; ends between batches at the signal. */
export async function reprocessPages(
  lease: RunLease,
  ports: CrawlPorts,
  rules: ReprocessRules,
  signal: AbortSignal,
): Promise<number> {
  const { pages } = ports.store;
  const { version } = lease.run;
  const storedVersions = await pages.pipelineVersions(version);
  if (storedVersions.length === 0) return 0;
  const current = new Set(await ports.parser.pipelineVersions(signal));
  let reprocessed = 0;
  const outdated = storedVersions.filter((stored) => !isCurrentPipeline(stored, current));
  for (const pipelineVersion of outdated.filter((stored) => rules.isRestoredOnly !== true || stored === RESTORED)) {
    let after: string | null = null;
    do {
      if (signal.aborted) return reprocessed;
      const batch = await pages.byPipelineVersion(version, pipelineVersion, after, BATCH_SIZE);
      const results = await Promise.all(batch.urls.map((url) => reprocessPage(lease, url, { ports, rules, signal })));
      // A page whose parsing was aborted has not failed.
      if (signal.aborted) return reprocessed;
      const parsed = results.filter((page) => page !== null);
      await pages.reprocess(lease, parsed);
      const failed = batch.urls.filter((_, i) => results[i] === null);
      if (pipelineVersion !== RESTORED && failed.length > 0) await pages.markForRefetch(lease, failed);
      reprocessed += parsed.length;
      after = batch.after;
    } while (after !== null);
  }
  return reprocessed;
}

interface ReprocessContext {
  readonly ports: CrawlPorts;
  readonly rules: ReprocessRules;
  readonly signal: AbortSignal;
}

async function reprocessPage(
  lease: RunLease,
  url: PageUrl,
  context: ReprocessContext,
): Promise<ReprocessedPage | null> {
  const { store, parser } = context.ports;
  const document = await store.pages.get(lease.run.version, url);
  if (document === null || document.body === null) return null;
  const isMade = document.mediaType === DECLARATIONS_MEDIA_TYPE;
  const mediaType = isLocalFile(url) && !isMade ? null : document.mediaType;
  try {
    const { packageName } = context.rules;
    const body = decompressBody(document.body);
    const page = { url, mediaType, body, ...(packageName !== null && { packageName }) };
    const parsed = await parser.parse(page, context.signal);
    return parsed.verdict.kind === 'not-content' ? null : reprocessedPage(document, parsed, context.rules);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return null;
  }
}

function reprocessedPage(
  document: StoredDocument,
  parsed: ParsedPage,
  { canonicalOf }: ReprocessRules,
): ReprocessedPage {
  const { url } = document;
  const { warnings: _warnings, sourceLines: _sourceLines, ...otherMetadata } = document.metadata;
  const { title, description, language, text, outline, canonical } = parsed.document;
  return {
    url,
    chunks: parsed.chunks,
    page: {
      title,
      description,
      language,
      mediaType: document.mediaType,
      etag: null,
      lastModified: null,
      contentHash: contentHashOf(text),
      dedupeHash: isLocalFile(url) ? null : parsed.dedupeHash,
      canonical: isLocalFile(url) ? null : canonicalOf(url, canonical),
      text,
      outline,
      pipelineVersion: pipelineVersionOf(parsed),
      declaredVersion: parsed.declaredVersion,
      metadata: {
        ...otherMetadata,
        ...metadataOf(parsed),
      },
      responseMeta: document.responseMeta,
      renderedBy: document.renderedBy,
      outlinks: parsed.outlinks,
      body: null,
    },
  };
}

function isLocalFile(url: PageUrl): boolean {
  return url.startsWith('file:');
}
