// Writes pages within the transaction of a settlement: their rows, documents, bodies, links, revisions and chunks.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { NewChange } from '../runs/transaction-tail.ts';
import { hashBytes, jsonText, keyBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Executor, type Value } from '../engine/engine.ts';
import type { Claim, Outcome, PageContent } from '../../port/frontier.ts';
import { TARGET_DIGITS } from '../../port/plans.ts';
import { chunkDigest, kindsOf, readChunks, replaceChunks, type PageChunks } from './replace-chunks.ts';

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
    dedupe_hash: 'bytes',
    canonical: 'text',
    canonical_key: 'bytes',
    chunk_digest: 'bytes',
    n_chunks: 'int',
    pipeline_version: 'text',
    declared_version: 'text',
    metadata: 'text',
    fence: 'int',
  },
  `insert into pages (version_id, url_key, url, title, description, language, media_type, etag, last_modified, content_hash, dedupe_hash, canonical, canonical_key, chunk_digest, n_chunks, pipeline_version, declared_version, metadata, fence, changed_at, checked_at)
   select r.version_id, r.url_key, r.url, r.title, r.description, r.language, r.media_type, r.etag, r.last_modified, r.content_hash, r.dedupe_hash, r.canonical, r.canonical_key, r.chunk_digest, r.n_chunks, r.pipeline_version, r.declared_version, r.metadata, r.fence, now_ms(), now_ms()
   from {rows} r where true
   on conflict (version_id, url_key) do update set title = excluded.title, description = excluded.description, language = excluded.language,
     media_type = excluded.media_type, etag = excluded.etag, last_modified = excluded.last_modified, content_hash = excluded.content_hash,
     dedupe_hash = excluded.dedupe_hash, canonical = excluded.canonical, canonical_key = excluded.canonical_key, alias_key = null, chunk_digest = excluded.chunk_digest, n_chunks = excluded.n_chunks, pipeline_version = excluded.pipeline_version, declared_version = excluded.declared_version, metadata = excluded.metadata,
     fence = excluded.fence, changed_at = excluded.changed_at, checked_at = excluded.checked_at`,
);

const upsertDocument = batch(
  { version_id: 'int', url_key: 'bytes', text: 'text', outline: 'text', response_meta: 'text', rendered_by: 'text' },
  `insert into documents (version_id, url_key, text, outline, response_meta, rendered_by) select r.version_id, r.url_key, r.text, r.outline, r.response_meta, r.rendered_by from {rows} r where true
   on conflict (version_id, url_key) do update set text = excluded.text, outline = excluded.outline, response_meta = excluded.response_meta, rendered_by = excluded.rendered_by`,
);

const upsertBody = batch(
  { version_id: 'int', url_key: 'bytes', encoding: 'text', bytes: 'bytes' },
  `insert into bodies (version_id, url_key, encoding, bytes) select r.version_id, r.url_key, r.encoding, r.bytes from {rows} r where true
   on conflict (version_id, url_key) do update set encoding = excluded.encoding, bytes = excluded.bytes`,
);

const touchPage = batch(
  {
    version_id: 'int',
    url_key: 'bytes',
    etag: 'text',
    last_modified: 'text',
    is_read: 'int',
    declared_version: 'text',
  },
  `update pages set checked_at = now_ms(), etag = r.etag, last_modified = r.last_modified,
     declared_version = case when r.is_read = 1 then r.declared_version else pages.declared_version end
   from {rows} r where pages.version_id = r.version_id and pages.url_key = r.url_key`,
);

const PAGE = { version_id: 'int', url_key: 'bytes' } as const;

const upsertLinks = batch(
  { ...PAGE, targets: 'bytes', nav_links: 'int' },
  `insert into page_links (version_id, url_key, targets, nav_links) select r.version_id, r.url_key, r.targets, r.nav_links from {rows} r where true
   on conflict (version_id, url_key) do update set targets = excluded.targets, nav_links = excluded.nav_links`,
);

/** Only of a stored page: a duplicate that did not change may have been removed in the meantime. */
const upsertNavigation = batch(
  { ...PAGE, entries: 'text' },
  `insert into page_navigation (version_id, url_key, entries) select p.version_id, p.url_key, r.entries from pages p, {rows} r
     where p.version_id = r.version_id and p.url_key = r.url_key
   on conflict (version_id, url_key) do update set entries = excluded.entries where page_navigation.entries <> excluded.entries`,
);

const MAX_REVISIONS = 5;
/** For a longer text only the hash is kept. */
const MAX_REVISION_CHARS = 200_000;

const insertRevision = batch(
  { ...PAGE, content_hash: 'bytes' },
  `insert into page_revisions (version_id, url_key, until_at, since_at, content_hash, pipeline_version, text)
   select p.version_id, p.url_key, now_ms(), p.changed_at, p.content_hash, p.pipeline_version, case when length(d.text) <= ${MAX_REVISION_CHARS} then d.text end
   from pages p join documents d on d.version_id = p.version_id and d.url_key = p.url_key, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key and p.content_hash <> r.content_hash and p.alias_key is null
   on conflict do nothing`,
);

const deleteOldRevisions = batch(
  PAGE,
  `delete from page_revisions where (version_id, url_key, until_at) in (
     select e.version_id, e.url_key, e.until_at from page_revisions e, {rows} r where e.version_id = r.version_id and e.url_key = r.url_key
       and ${MAX_REVISIONS} <= (select count(*) from page_revisions newer where newer.version_id = e.version_id and newer.url_key = e.url_key and newer.until_at > e.until_at))`,
);

/** A claim that passed the fence check, with its outcome. */
export interface AcceptedSettlement {
  readonly claim: Claim;
  readonly outcome: Outcome;
}

interface WrittenPage {
  readonly claim: Claim;
  readonly page: PageContent;
  readonly chunks: PageChunks;
}

export async function writePages(
  tx: Executor,
  parts: EngineParts,
  accepted: readonly AcceptedSettlement[],
): Promise<readonly NewChange[]> {
  const written: WrittenPage[] = [];
  const touched: Value[][] = [];
  for (const { claim, outcome } of accepted) {
    const key = keyBytes(claim.url);
    switch (outcome.kind) {
      case 'indexed': {
        const chunks = {
          version: claim.version,
          source: claim.source,
          url: claim.url,
          key,
          title: outcome.page.title,
          kinds: kindsOf(outcome.page.metadata, outcome.page.mediaType),
          chunks: outcome.chunks,
          digest: chunkDigest(outcome.chunks),
          hadChunks: claim.previous !== null,
        };
        written.push({ claim, page: outcome.page, chunks });
        break;
      }
      case 'unchanged':
        touched.push(touchedRow(claim.version, key, outcome));
        break;
      case 'fresh':
      case 'not-found':
      case 'moved':
      case 'skipped':
      case 'excluded':
      case 'missing':
      case 'failed':
      case 'retry':
        break;
    }
  }
  const pages = written.map((item) => item.chunks);
  const before = await readChunks(tx, pages);
  await saveRevisions(tx, written);
  await tx.each(upsertPage, written.map(pageRow));
  await writeDocuments(tx, written);
  await tx.each(
    upsertBody,
    written.flatMap(({ page, chunks }) =>
      page.body === null ? [] : [[chunks.version, chunks.key, page.body.encoding, page.body.bytes]],
    ),
  );
  await tx.each(touchPage, touched);
  await tx.each(upsertNavigation, accepted.flatMap(changedMenus));
  return replaceChunks(tx, parts, pages, before);
}

function touchedRow(version: number, key: Uint8Array, outcome: Extract<Outcome, { kind: 'unchanged' }>): Value[] {
  const { etag, lastModified, declaredVersion } = outcome;
  return [version, key, etag, lastModified, Number(declaredVersion !== undefined), declaredVersion ?? null];
}

/** Updates a page whose text did not change. */
function changedMenus({ claim, outcome }: AcceptedSettlement): Value[][] {
  if (outcome.kind !== 'unchanged' || outcome.navigation === undefined) return [];
  return [[claim.version, keyBytes(claim.url), jsonText(outcome.navigation)]];
}

/** Keeps the former contents of pages that are about to be replaced. A new or unchanged page costs nothing here. */
async function saveRevisions(tx: Executor, written: readonly WrittenPage[]): Promise<void> {
  const stored = written.filter(({ claim }) => claim.previous !== null);
  await tx.each(
    insertRevision,
    stored.map(({ page, chunks }) => [chunks.version, chunks.key, hashBytes(page.contentHash)]),
  );
  await tx.each(
    deleteOldRevisions,
    stored.map(({ chunks }) => [chunks.version, chunks.key]),
  );
}

/** Documents and links, which are also written when pages are reprocessed. */
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
      jsonText(page.responseMeta),
      page.renderedBy ?? null,
    ]),
  );
  await tx.each(
    upsertLinks,
    written.map(({ page, chunks }) => [chunks.version, chunks.key, packTargets(page), page.navLinks ?? 0]),
  );
  await tx.each(
    upsertNavigation,
    written.flatMap(({ page: { navigation }, chunks }) =>
      navigation === undefined ? [] : [[chunks.version, chunks.key, jsonText(navigation)]],
    ),
  );
}

/**
 * Links are stored as prefixes of URL keys: 8 of 16 bytes, which do not collide within a version below a billion URLs. One row
 * per page is cheap to write; reading backlinks scans all rows of a version (bench/store/page-revisions.ts measures it).
 */
export const LINK_KEY_BYTES = TARGET_DIGITS / 2;

function packTargets({ outlinks }: PageContent): Uint8Array {
  return Buffer.concat(outlinks.map((key) => Buffer.from(key.slice(0, LINK_KEY_BYTES * 2), 'hex')));
}

/** Null if the page declares none, or itself. */
export function canonicalKeyOf(canonical: PageUrl | null, url: PageUrl): Uint8Array | null {
  return canonical === null || canonical === url ? null : keyBytes(canonical);
}

function pageRow({ claim, page, chunks }: WrittenPage): Value[] {
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
    page.dedupeHash === null ? null : hashBytes(page.dedupeHash),
    page.canonical,
    canonicalKeyOf(page.canonical, claim.url),
    chunks.digest,
    chunks.chunks.length,
    page.pipelineVersion,
    page.declaredVersion ?? null,
    jsonText(page.metadata),
    claim.fence,
  ];
}
