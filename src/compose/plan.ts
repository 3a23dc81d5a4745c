// Looks at a site before anything of it is kept.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReaders } from './fetch-and-parse.ts';
import type { Surroundings } from './store.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import { createLocalFiles } from '../fetch/files/local-files.ts';
import type { SourcePlan } from '../library/plan-source.ts';
import { createPreviewPage, type PagePreview } from '../library/preview-page.ts';
import type { CrawlLimits } from '../crawl/context/ports.ts';
import { createSecretFor } from '../platform/secrets.ts';

/** In a store that is thrown away. */
export async function plan(around: Surroundings, start: PageUrl, settings: CrawlSettings): Promise<SourcePlan> {
  const { openSqliteStore } = await import('../store/sqlite/open-sqlite-store.ts');
  const { planSource } = await import('../library/plan-source.ts');
  const { config, log, signal } = around;
  const directory = mkdtempSync(join(tmpdir(), 'pinakes-plan-'));
  const owner = { pid: process.pid, command: around.command, since: new Date().toISOString() };
  const { startDelayMs, maxAttempts } = config.crawl;
  const store = openSqliteStore({ startDelayMs, maxAttempts, directory, owner });
  const readers = openReaders(config, 1);
  try {
    const { fetcher, parser } = readers;
    const secretFor = createSecretFor(config.fetch.secrets, process.env);
    const stages = { store, log, fetcher, parser, local: createLocalFiles(config.local), secretFor };
    const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
    return await planSource(start, settings, { stages, limits, now: Date.now, random: Math.random }, signal);
  } finally {
    await readers.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function preview({ config, signal }: Surroundings, url: PageUrl): Promise<PagePreview> {
  const readers = openReaders(config, 1);
  try {
    return await createPreviewPage({ ...readers, maxRedirects: config.fetch.maxRedirects })(url, signal);
  } finally {
    await readers.close();
  }
}
