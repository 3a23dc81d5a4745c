// Pages and vectors of a bundle as the store records them.

import { importedDocument } from '../../core/export/bundle/imported-page.ts';
import type { ReadBundlePage } from '../../core/export/bundle/read-bundle.ts';
import type { BundledVector } from '../../core/export/bundle/vector-files.ts';
import { withTerms } from '../../core/discover/licenses.ts';
import { linePairs } from '../../core/chunk/source-lines.ts';
import type { VersionId } from '../../core/model/run.ts';
import { withWordVectors, WORD_VECTORS_PIPELINE, type WordTable } from '../../core/vector/word-vectors.ts';
import { contentHashOf } from '../page/stored-page.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { Store } from '../../store/port.ts';
import type { Claim, Outcome } from '../../store/port/frontier.ts';
import { compressBody } from '../../platform/compress-body.ts';

const BUNDLE_PIPELINE = `bundle@7 ${WORD_VECTORS_PIPELINE}`;

export function importedOutcome(claim: Claim, page: ReadBundlePage, words: WordTable | null): Outcome {
  const { text, outline } = importedDocument(page);
  const contentHash = contentHashOf(text);
  if (
    claim.previous?.etag === page.hash &&
    claim.previous.contentHash === contentHash &&
    claim.previous.pageKind === (page.pageKind ?? null) &&
    claim.previous.pipelineVersion === BUNDLE_PIPELINE
  )
    return { kind: 'unchanged', etag: page.hash, lastModified: null };
  const { title, description, language, mediaType, hash, chunks, image, warnings, sourceLines, pageKind } = page;
  return {
    kind: 'indexed',
    page: {
      title,
      description,
      language,
      mediaType,
      etag: hash,
      lastModified: null,
      contentHash,
      dedupeHash: null,
      canonical: null,
      text,
      outline,
      pipelineVersion: BUNDLE_PIPELINE,
      metadata: {
        fileHash: hash,
        ...(pageKind !== undefined && { pageKind }),
        ...(warnings.length > 0 && { warnings }),
        ...(sourceLines !== undefined && { sourceLines: linePairs(sourceLines) }),
      },
      responseMeta: {},
      outlinks: [],
      body: image === null ? null : compressBody(image),
    },
    chunks: withWordVectors(words, chunks),
  };
}

const BATCH_SIZE = 500;

/** Imports the rest of a bundle: how many pages link to each, terms of use, and vectors. Idempotent. */
export async function importBundleTables(source: LocalSource, version: VersionId, store: Store): Promise<void> {
  const linkCounts = source.linkCounts?.();
  if (linkCounts !== undefined) await store.pages.saveLinkCounts(version, linkCounts);
  const { terms } = source;
  if (terms !== undefined) await store.sources.changeSiteProfile(version, (profile) => withTerms(profile, terms));
  await importVectors(source, version, store);
}

/**
 * Imports the vectors of a bundle into an existing space with the same fingerprint, so that its texts need no model.
 * Idempotent.
 */
async function importVectors(source: LocalSource, version: VersionId, { vectors }: Store): Promise<void> {
  for (const bundled of source.vectors?.() ?? []) {
    const space = await vectors.findSpace(bundled.fingerprint);
    if (space?.dimensions !== bundled.dimensions) continue;
    let batch: BundledVector[] = [];
    const write = async (): Promise<void> => {
      await vectors.importVectors(space.id, version, batch);
      batch = [];
    };
    for (const row of bundled.rows()) if (batch.push(row) >= BATCH_SIZE) await write();
    await write();
  }
}
