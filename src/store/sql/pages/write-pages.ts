// Writes and touches the rows of pages, inside a settlement's transaction.

import type { Claim, Outcome, PageContent } from '../../port.ts';
import { hashBytes, jsonText, keyBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { keepEarlierTexts, type KnownChange } from '../earlier-texts.ts';
import { batch, type Executor, type Value } from '../engine/engine.ts';
import { writePageLinks } from '../page-links.ts';
import { chunkDigest, chunksBefore, replaceChunks, type PageChunks } from './replace-chunks.ts';

const upsertPage = batch(
  {
    version_id: 'int',
    url_key: 'bytes',
    url: 'text',
    title: 'text',
    description: 'text',
    language: 'text',
    media_type: 'text',
    etag: 'text',
    last_modified: 'text',
    content_hash: 'bytes',
    twin_hash: 'bytes',
    canonical: 'text',
    chunk_digest: 'bytes',
    n_chunks: 'int',
    made_by: 'text',
    facts: 'text',
    fence: 'int',
  },
  `insert into pages (version_id, url_key, url, title, description, language, media_type, etag, last_modified, content_hash, twin_hash, canonical, chunk_digest, n_chunks, made_by, facts, fence, changed_at, checked_at)
   select r.version_id, r.url_key, r.url, r.title, r.description, r.language, r.media_type, r.etag, r.last_modified, r.content_hash, r.twin_hash, r.canonical, r.chunk_digest, r.n_chunks, r.made_by, r.facts, r.fence, now_ms(), now_ms()
   from {rows} r where true
   on conflict (version_id, url_key) do update set title = excluded.title, description = excluded.description, language = excluded.language,
     media_type = excluded.media_type, etag = excluded.etag, last_modified = excluded.last_modified, content_hash = excluded.content_hash,
     twin_hash = excluded.twin_hash, canonical = excluded.canonical, alias_key = null, chunk_digest = excluded.chunk_digest, n_chunks = excluded.n_chunks, made_by = excluded.made_by, facts = excluded.facts,
     fence = excluded.fence, changed_at = excluded.changed_at, checked_at = excluded.checked_at`,
);

const upsertDocument = batch(
  { version_id: 'int', url_key: 'bytes', text: 'text', outline: 'text', arrival: 'text' },
  `insert into documents (version_id, url_key, text, outline, arrival) select r.version_id, r.url_key, r.text, r.outline, r.arrival from {rows} r where true
   on conflict (version_id, url_key) do update set text = excluded.text, outline = excluded.outline, arrival = excluded.arrival`,
);

const upsertBody = batch(
  { version_id: 'int', url_key: 'bytes', encoding: 'text', bytes: 'bytes' },
  `insert into bodies (version_id, url_key, encoding, bytes) select r.version_id, r.url_key, r.encoding, r.bytes from {rows} r where true
   on conflict (version_id, url_key) do update set encoding = excluded.encoding, bytes = excluded.bytes`,
);

const touch = batch(
  { version_id: 'int', url_key: 'bytes', etag: 'text', last_modified: 'text' },
  `update pages set checked_at = now_ms(), etag = r.etag, last_modified = r.last_modified
   from {rows} r where pages.version_id = r.version_id and pages.url_key = r.url_key`,
);

const removePage = batch(
  { version_id: 'int', url_key: 'bytes' },
  `delete from pages where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);

/** Of accepted claims only. */
export interface Accepted {
  readonly claim: Claim;
  readonly outcome: Outcome;
}

export async function writePages(tx: Executor, parts: EngineParts, accepted: readonly Accepted[]): Promise<void> {
  const written: Array<{ claim: Claim; page: PageContent; chunks: PageChunks }> = [];
  const touched: Value[][] = [];
  for (const { claim, outcome } of accepted) {
    const key = keyBytes(claim.url);
    switch (outcome.kind) {
      case 'indexed': {
        const chunks = {
          version: claim.version,
          key,
          title: outcome.page.title,
          chunks: outcome.chunks,
          known: claim.known !== null,
        };
        written.push({ claim, page: outcome.page, chunks });
        break;
      }
      case 'unchanged':
        touched.push([claim.version, key, outcome.etag, outcome.lastModified]);
        break;
      case 'fresh':
      case 'gone':
      case 'moved':
      case 'skipped':
      case 'missing':
      case 'failed':
      case 'retry':
        break;
    }
  }
  const pages = written.map((item) => item.chunks);
  const before = await chunksBefore(tx, pages);
  await keepEarlierTexts(tx, written.flatMap(knownChange));
  await tx.each(upsertPage, written.map(pageRow));
  await writeDocuments(tx, written);
  await tx.each(
    upsertBody,
    written.flatMap(({ page, chunks }) =>
      page.body === null ? [] : [[chunks.version, chunks.key, page.body.encoding, page.body.bytes]],
    ),
  );
  await tx.each(touch, touched);
  await replaceChunks(tx, parts, pages, before);
}

export async function writeDocuments(
  tx: Executor,
  written: ReadonlyArray<{ readonly page: PageContent; readonly chunks: PageChunks }>,
): Promise<void> {
  await tx.each(
    upsertDocument,
    written.map(({ page, chunks }) => [
      chunks.version,
      chunks.key,
      page.text,
      jsonText(page.outline as never),
      jsonText(page.arrival),
    ]),
  );
  await writePageLinks(tx, written);
}

/** Their chunks must be gone already. */
export async function removePages(
  tx: Executor,
  pages: ReadonlyArray<{ version: number; key: Uint8Array }>,
): Promise<void> {
  await tx.each(
    removePage,
    pages.map((page) => [page.version, page.key]),
  );
}

function knownChange({ claim, page, chunks }: { claim: Claim; page: PageContent; chunks: PageChunks }): KnownChange[] {
  const { version, key } = chunks;
  return claim.known === null ? [] : [{ version, key, newHash: hashBytes(page.contentHash) }];
}

function pageRow({ claim, page, chunks }: { claim: Claim; page: PageContent; chunks: PageChunks }): Value[] {
  return [
    chunks.version,
    chunks.key,
    claim.url,
    page.title,
    page.description,
    page.language,
    page.mediaType,
    page.etag,
    page.lastModified,
    hashBytes(page.contentHash),
    page.twinHash === null ? null : hashBytes(page.twinHash),
    page.canonical,
    chunkDigest(chunks.chunks),
    chunks.chunks.length,
    page.madeBy,
    jsonText(page.facts),
    claim.fence,
  ];
}
