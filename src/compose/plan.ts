// Plans a crawl or previews a page without storing anything.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFetchAndParse, type FetchAndParseContext } from './fetch-and-parse.ts';
import { openRendering } from './rendering.ts';
import type { AppContext } from './app-context.ts';
import type { PackageReference } from '../core/archives/package-reference.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import { createLocalFiles } from '../fetch/files/local-files.ts';
import type { SourcePlan } from '../library/plan-source.ts';
import { createPreviewPage, type PagePreview } from '../library/preview-page.ts';
import type { CrawlLimits } from '../crawl/context/ports.ts';
import { createArchiveFetch } from '../crawl/archives/archive-fetch.ts';
import type { PoliteFetch } from '../crawl/politeness/polite-fetch.ts';
import { registryAccess } from '../crawl/archives/prepare-archive.ts';
import { resolvePackage } from '../crawl/archives/resolve-package.ts';
import { createLog } from '../platform/log.ts';
import { createSecretFor } from '../platform/secrets.ts';
import { createArchiveAccess } from './archive-access.ts';

/** Dependencies of a plan or a preview. */
export type PlanContext = Pick<AppContext, 'config' | 'log' | 'command' | 'signal'> & FetchAndParseContext;

const SILENT = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });

/** Uses a temporary store that is deleted afterwards. */
export async function plan(context: PlanContext, start: PageUrl, settings: CrawlSettings): Promise<SourcePlan> {
  const { openSqliteStore } = await import('../store/sqlite/open-sqlite-store.ts');
  const { planSource } = await import('../library/plan-source.ts');
  const { config, log, signal } = context;
  const directory = mkdtempSync(join(tmpdir(), 'pinakes-plan-'));
  const owner = { pid: process.pid, command: context.command, since: new Date().toISOString() };
  const { startDelayMs, maxAttempts } = config.crawl;
  const store = openSqliteStore({ startDelayMs, maxAttempts, directory, owner });
  const fetchAndParse = openFetchAndParse(config, 1, context);
  // What there is to say about the browser, its crawls say.
  const rendering = openRendering({ ...context, log: SILENT });
  try {
    const { fetcher, parser } = fetchAndParse;
    const secretFor = createSecretFor(config.fetch.secrets, process.env);
    const stages = { store, log, fetcher, parser, rendering, local: createLocalFiles(config.files), secretFor };
    const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
    return await planSource(start, settings, { ports: stages, limits, now: Date.now, random: Math.random }, signal);
  } finally {
    await Promise.allSettled([fetchAndParse.close(), rendering?.renderer.close()]);
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function preview(context: PlanContext, url: PageUrl): Promise<PagePreview> {
  const { config, signal } = context;
  const fetchAndParse = openFetchAndParse(config, 1, context);
  try {
    return await createPreviewPage({ ...fetchAndParse, maxRedirects: config.fetch.maxRedirects })(url, signal);
  } finally {
    await fetchAndParse.close();
  }
}

/** The release that the registry of a package offers now. */
export async function release(
  context: PlanContext,
  reference: PackageReference,
): Promise<{ readonly version: string }> {
  const { config, signal } = context;
  const fetchAndParse = openFetchAndParse(config, 1, context);
  try {
    const access = registryAccess(reference, createArchiveAccess(config, process.env));
    const { fetcher } = fetchAndParse;
    const fetchOne: PoliteFetch = (request) =>
      fetcher.fetch({ ...request, headers: access.headersFor(request.url) }, signal);
    const { version } = await resolvePackage(
      reference,
      access,
      createArchiveFetch(fetchOne, config.fetch.maxRedirects),
    );
    return { version };
  } finally {
    await fetchAndParse.close();
  }
}
