// Writes pages that were extracted again from their stored bodies. No claims are needed: the coordinator holds the lease of the
// run, whose URLs are not being claimed yet, or not any more.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { ReprocessedPage } from '../../port/pages.ts';
import type { RunLease } from '../../port/runs.ts';
import { hashBytes, jsonText, keyBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Value } from '../engine/engine.ts';
import { holdsLease } from '../runs/run-row.ts';
import { createTransactionTail } from '../runs/transaction-tail.ts';
import { chunkDigest, kindsOf, readChunks, replaceChunks, type PageChunks } from './replace-chunks.ts';
import { canonicalKeyOf, writeDocuments } from './write-pages.ts';

const updatePage = batch(
  {
    version_id: 'int',
    url_key: 'bytes',
    title: 'text',
    description: 'text',
    language: 'text',
    content_hash: 'bytes',
    dedupe_hash: 'bytes',
    canonical: 'text',
    canonical_key: 'bytes',
    chunk_digest: 'bytes',
    n_chunks: 'int',
    pipeline_version: 'text',
    declared_version: 'text',
    metadata: 'text',
  },
  `update pages set title = r.title, description = r.description, language = r.language, content_hash = r.content_hash, dedupe_hash = r.dedupe_hash,
     canonical = r.canonical, canonical_key = r.canonical_key, chunk_digest = r.chunk_digest, n_chunks = r.n_chunks, pipeline_version = r.pipeline_version, declared_version = r.declared_version, metadata = r.metadata,
     changed_at = case when pages.content_hash = r.content_hash then pages.changed_at else now_ms() end
   from {rows} r where pages.version_id = r.version_id and pages.url_key = r.url_key and pages.alias_key is null`,
);

const clearPipelineVersion = batch(
  { url_key: 'bytes' },
  `update pages set pipeline_version = '' from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int'],
);

export async function markForRefetch(engine: Engine, lease: RunLease, urls: readonly PageUrl[]): Promise<void> {
  const rows = urls.map((url) => [keyBytes(url)]);
  await engine.transaction(async (tx) => {
    if (await holdsLease(tx, lease)) await tx.each(clearPipelineVersion, rows, [lease.run.version]);
  });
}

export async function reprocessPages(
  engine: Engine,
  parts: EngineParts,
  lease: RunLease,
  pages: readonly ReprocessedPage[],
): Promise<void> {
  const { version, source } = lease.run;
  const reprocessed = pages.map(({ url, page, chunks }) => {
    const owner = { version, source, url, key: keyBytes(url) };
    const { title, metadata, mediaType } = page;
    const said = { title, kinds: kindsOf(metadata, mediaType) };
    const pageChunks = { ...owner, ...said, chunks, digest: chunkDigest(chunks), hadChunks: true };
    return { page, chunks: pageChunks };
  });
  await engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return;
    const chunksOfPages = reprocessed.map(({ chunks }) => chunks);
    const before = await readChunks(tx, chunksOfPages);
    await tx.each(updatePage, reprocessed.map(pageRow));
    await writeDocuments(tx, reprocessed);
    const tail = createTransactionTail();
    tail.announce(await replaceChunks(tx, parts, chunksOfPages, before));
    await tail.write(tx);
  });
}

function pageRow({ page, chunks }: { page: ReprocessedPage['page']; chunks: PageChunks }): Value[] {
  return [
    chunks.version,
    chunks.key,
    page.title,
    page.description,
    page.language,
    hashBytes(page.contentHash),
    page.dedupeHash === null ? null : hashBytes(page.dedupeHash),
    page.canonical,
    canonicalKeyOf(page.canonical, chunks.url),
    chunks.digest,
    chunks.chunks.length,
    page.pipelineVersion,
    page.declaredVersion ?? null,
    jsonText(page.metadata),
  ];
}
