// Exports the pages of a version of a source as they are read: as a tree of Markdown files, as lines of JSON, or as one text. Pages come
// in the order of their URLs, and no more than one is in memory.

import { importedFrom } from '../core/model/provenance.ts';
import { chunkPath } from '../core/chunk/chunk-names.ts';
import { computeIndexId } from '../core/export/bundle/bundle.ts';
import { originOf } from '../core/export/llms/served-path.ts';
import { fullTextHead, fullTextPage, pageMarkdown } from '../core/export/llms/llms-text.ts';
import { pagePaths } from '../core/export/pages/page-path.ts';
import { chunkRecords, pageRecord, type RecordedPage } from '../core/export/records/page-records.ts';
import { scanSecrets, type SecretFinding } from '../core/export/secrets/scan-secrets.ts';
import { estimateTokens } from '../core/model/chunk.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import { minorGc } from '../platform/v8-heap.ts';
import type { StoredDocument } from '../store/port/pages.ts';
import type { Source, Version } from '../store/port/sources.ts';
import { pagesOf, toListed } from './docs-files.ts';
import type { ExportDeps, ExportSummary } from './export-source.ts';
import { fileHashOf } from './exported-page.ts';

export interface PagesRequest {
  readonly source: Source;
  readonly version: Version;
  /** Without times, so that the same texts give the same bytes in every library. */
  readonly isReproducible: boolean;
}

type ReadDeps = Omit<ExportDeps, 'write'>;

/** One Markdown file for each page, under front matter. Calls `write` with the path of the file, relative and with slashes. */
export async function exportPages(
  request: PagesRequest,
  { write, ...deps }: ReadDeps & { readonly write: (path: string, text: string) => Promise<void> },
): Promise<ExportSummary> {
  const { source, version, isReproducible } = request;
  const paths = pagePaths(await urlsOf(deps, version), originOf(source));
  return readPages(request, deps, async (page) => {
    const path = paths.get(page.url);
    // Added in the meantime: its path may be that of another page.
    if (path === undefined) return false;
    const { url, title, contentHash, changedAt, checkedAt } = page;
    const times = isReproducible ? { changedAt: null } : { changedAt, checkedAt };
    const about = {
      source: source.name,
      version: version.label,
      url,
      title,
      contentHash,
      ...times,
      ...importedFrom(source.kind, url),
    };
    await write(path, pageMarkdown(about, page.text));
    return true;
  });
}

async function urlsOf({ store, checkpoint }: ReadDeps, version: Version): Promise<readonly PageUrl[]> {
  const urls: PageUrl[] = [];
  for await (const { url } of pagesOf(store, { version })) {
    urls.push(url);
    await checkpoint();
  }
  return urls;
}

/** One object a line: a page, or a chunk of a page. */
export async function exportJsonl(
  request: PagesRequest & { readonly records: 'pages' | 'chunks' },
  deps: ExportDeps,
): Promise<ExportSummary> {
  const { source, version, isReproducible, records } = request;
  const writeText = textWriter(deps.write);
  return readPages(request, deps, async (page) => {
    const recorded = recordedPage(page, { source, version }, isReproducible);
    const lines =
      records === 'pages'
        ? [pageRecord(recorded, isReproducible ? '' : page.checkedAt.toISOString())]
        : chunkRecords(recorded, await deps.store.pages.chunksOf(version.id, page.url));
    await writeText(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return true;
  });
}

function recordedPage(
  page: StoredDocument,
  { source, version }: { readonly source: Source; readonly version: Version },
  isReproducible: boolean,
): RecordedPage {
  const { url, title, description, language, contentHash, text, metadata, responseMeta, changedAt } = page;
  const { pageKind } = metadata;
  const { status } = responseMeta;
  return {
    source: source.name,
    version: version.label,
    url,
    title,
    description,
    language,
    contentHash,
    text,
    pageKind: typeof pageKind === 'string' ? pageKind : null,
    status: typeof status === 'number' ? status : null,
    changedAt: isReproducible ? '' : changedAt.toISOString(),
  };
}

/** llms-full.txt: the text that a server offers for the source. */
export async function exportFullText(request: PagesRequest, deps: ExportDeps): Promise<ExportSummary> {
  const { source, version } = request;
  const writeText = textWriter(deps.write);
  const [stats] = await deps.store.stats.versions([version.id]);
  await writeText(fullTextHead(toListed(source, version, stats, false)));
  return readPages(request, deps, async (page) => {
    await writeText(fullTextPage(page, page.text));
    return true;
  });
}

function textWriter(write: ExportDeps['write']): (text: string) => Promise<void> {
  const encoder = new TextEncoder();
  return (text) => write(encoder.encode(text));
}

const PAGES_PER_GC = 32;

/** `use` tells whether the page is part of the export. */
async function readPages(
  { version }: PagesRequest,
  { store, checkpoint, onProgress }: ReadDeps,
  use: (page: StoredDocument) => Promise<boolean>,
): Promise<ExportSummary> {
  const [stats] = await store.stats.versions([version.id]);
  const total = stats?.pages ?? 0;
  const identities: Array<{ path: string; hash: string }> = [];
  const secrets: SecretFinding[] = [];
  let [chunks, tokens] = [0, 0];
  for await (const { url } of pagesOf(store, { version })) {
    await checkpoint();
    const page = await store.pages.get(version.id, url);
    // A page removed in the meantime is not part of the export.
    if (page === null || !(await use(page))) continue;
    const path = chunkPath(url);
    identities.push({ path, hash: fileHashOf(page) });
    secrets.push(...scanSecrets(page.text, path, 1));
    chunks += page.chunks;
    tokens += estimateTokens(page.text);
    if (identities.length % PAGES_PER_GC === 0) minorGc();
    onProgress({ step: 'written', done: identities.length, total: Math.max(total, identities.length) });
  }
  return { indexId: computeIndexId(identities), files: identities.length, chunks, tokens, secrets };
}
