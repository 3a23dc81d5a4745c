// Writes what was made again of stored bodies. No claim is held: the conductor's lease stands for it, and its run has
// handed out nothing yet, or nothing any more.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { RemadePage, RunLease } from '../../port.ts';
import { hashBytes, jsonText, keyBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Value } from '../engine/engine.ts';
import { holdsLease } from '../holds-lease.ts';
import { chunkDigest, chunksBefore, replaceChunks, type PageChunks } from './replace-chunks.ts';
import { writeDocuments } from './write-pages.ts';

const remake = batch(
  {
    version_id: 'int',
    url_key: 'bytes',
    title: 'text',
    description: 'text',
    language: 'text',
    content_hash: 'bytes',
    twin_hash: 'bytes',
    canonical: 'text',
    chunk_digest: 'bytes',
    n_chunks: 'int',
    made_by: 'text',
    facts: 'text',
  },
  `update pages set title = r.title, description = r.description, language = r.language, content_hash = r.content_hash, twin_hash = r.twin_hash,
     canonical = r.canonical, chunk_digest = r.chunk_digest, n_chunks = r.n_chunks, made_by = r.made_by, facts = r.facts,
     changed_at = case when pages.content_hash = r.content_hash then pages.changed_at else now_ms() end
   from {rows} r where pages.version_id = r.version_id and pages.url_key = r.url_key and pages.alias_key is null`,
);

const forgetMakers = batch(
  { url_key: 'bytes' },
  `update pages set made_by = '' from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int'],
);

export async function askAnew(engine: Engine, lease: RunLease, urls: readonly PageUrl[]): Promise<void> {
  const rows = urls.map((url) => [keyBytes(url)]);
  await engine.transaction(async (tx) => {
    if (await holdsLease(tx, lease)) await tx.each(forgetMakers, rows, [lease.run.version]);
  });
}

export async function remakePages(
  engine: Engine,
  parts: EngineParts,
  lease: RunLease,
  pages: readonly RemadePage[],
): Promise<void> {
  const { version } = lease.run;
  const remade = pages.map(({ url, page, chunks }) => {
    const ofPage: PageChunks = { version, key: keyBytes(url), title: page.title, chunks, known: true };
    return { page, chunks: ofPage };
  });
  await engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return;
    const places = remade.map(({ chunks }) => chunks);
    const before = await chunksBefore(tx, places);
    await tx.each(remake, remade.map(remadeRow));
    await writeDocuments(tx, remade);
    await replaceChunks(tx, parts, places, before);
  });
}

function remadeRow({ page, chunks }: { page: RemadePage['page']; chunks: PageChunks }): Value[] {
  return [
    chunks.version,
    chunks.key,
    page.title,
    page.description,
    page.language,
    hashBytes(page.contentHash),
    page.twinHash === null ? null : hashBytes(page.twinHash),
    page.canonical,
    chunkDigest(chunks.chunks),
    chunks.chunks.length,
    page.madeBy,
    jsonText(page.facts),
  ];
}
