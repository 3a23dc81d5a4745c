// Pages and vectors of a bundle as the store records them. A page's text is joined from its chunks; fences and table
// headers that were repeated at a cut stay repeated.

import { joinChunks } from '../../core/chunk/finalize-chunks.ts';
import type { ReadBundlePage } from '../../core/export/bundle/read-bundle.ts';
import type { BundledVector } from '../../core/export/bundle/vector-files.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { VersionId } from '../../core/model/run.ts';
import { compressBody, contentHashOf } from '../page/stored-page.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { Claim, Outcome, Store } from '../../store/port.ts';

const BUNDLE_PIPELINE = 'bundle@2';

export function importedOutcome(claim: Claim, page: ReadBundlePage): Outcome {
  const text = `${joinChunks({ chunks: page.chunks, repeats: [] })}\n`;
  const contentHash = contentHashOf(text);
  if (
    claim.previous?.etag === page.hash &&
    claim.previous.contentHash === contentHash &&
    claim.previous.pipelineVersion === BUNDLE_PIPELINE
  )
    return { kind: 'unchanged', etag: page.hash, lastModified: null };
  const { title, description, language, mediaType, hash, chunks, image } = page;
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
      outline: outlineOf(chunks),
      pipelineVersion: BUNDLE_PIPELINE,
      facts: { fileHash: hash },
      responseMeta: {},
      outlinks: [],
      body: image === null ? null : compressBody(image),
    },
    chunks,
  };
}

/** Each heading at its first occurrence; its level is its depth in the heading path of the chunk. */
function outlineOf(chunks: readonly Chunk[]): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  let above: readonly string[] = [];
  for (const { headings, anchor, lines } of chunks) {
    const from = headings.findIndex((heading, depth) => heading !== above[depth]);
    above = headings;
    if (from === -1) continue;
    headings.slice(from).forEach((text, nth) => {
      const level = Math.min(6, from + nth + 1);
      const isLast = from + nth === headings.length - 1;
      outline.push({ level, text, anchor: isLast ? anchor : null, line: lines.first });
    });
  }
  return outline;
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
