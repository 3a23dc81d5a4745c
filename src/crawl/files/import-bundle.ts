// Pages and vectors of a bundle as the store records them.

import { isSourceView } from '../../core/classify/generated-pages.ts';
import { importedDocument } from '../../core/export/bundle/imported-page.ts';
import type { ReadBundlePage } from '../../core/export/bundle/read-bundle.ts';
import type { BundledVector } from '../../core/export/bundle/vector-files.ts';
import { linePairs } from '../../core/chunk/source-lines.ts';
import { isFileUrl } from '../../core/files/file-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { withWordVectors, WORD_VECTORS_PIPELINE, type WordTable } from '../../core/vector/word-vectors.ts';
import { compressBody, contentHashOf } from '../page/stored-page.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { Claim, Outcome, Store } from '../../store/port.ts';

const BUNDLE_PIPELINE = `bundle@5 ${WORD_VECTORS_PIPELINE}`;

export function importedOutcome(claim: Claim, page: ReadBundlePage, words: WordTable | null): Outcome {
  const { text, outline } = importedDocument(page, isFileUrl(claim.url));
  const contentHash = contentHashOf(text);
  if (
    claim.previous?.etag === page.hash &&
    claim.previous.contentHash === contentHash &&
    claim.previous.pipelineVersion === BUNDLE_PIPELINE
  )
    return { kind: 'unchanged', etag: page.hash, lastModified: null };
  const { title, description, language, mediaType, hash, chunks, image, warnings, sourceLines } = page;
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
      facts: {
        fileHash: hash,
        ...(isSourceView({ url: claim.url, title, outline }) && { pageKind: 'source' }),
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

/**
 * Imports the vectors of a bundle into an existing space with the same fingerprint, so that its texts need no model.
 * Returns how many texts got a vector. Idempotent.
 */
export async function importBundleVectors(
  source: LocalSource,
  version: VersionId,
  { vectors }: Store,
): Promise<number> {
  let imported = 0;
  for (const bundled of source.vectors?.() ?? []) {
    const space = await vectors.findSpace(bundled.fingerprint);
    if (space?.dimensions !== bundled.dimensions) continue;
    let batch: BundledVector[] = [];
    const write = async (): Promise<void> => {
      imported += await vectors.importVectors(space.id, version, batch);
      batch = [];
    };
    for (const row of bundled.rows()) if (batch.push(row) >= BATCH_SIZE) await write();
    await write();
  }
  return imported;
}
