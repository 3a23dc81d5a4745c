// Pages and vectors of a bundle as the store records them. A page's text is joined from its chunks; fences and table
// headers that were repeated at a cut stay repeated.

import { joinChunks } from '../../core/chunk/finalize-chunks.ts';
import type { ReadBundlePage } from '../../core/export/bundle/read-bundle.ts';
import type { BundledVector } from '../../core/export/bundle/vector-files.ts';
import { linePairs } from '../../core/chunk/source-lines.ts';
import { createOutliner } from '../../core/extract/markdown/headings.ts';
import { isFileUrl } from '../../core/files/file-url.ts';
import { scanBlocks } from '../../core/markdown/scan-blocks.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { VersionId } from '../../core/model/run.ts';
import { compressBody, contentHashOf } from '../page/stored-page.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { Claim, Outcome, Store } from '../../store/port.ts';

const BUNDLE_PIPELINE = 'bundle@4';

export function importedOutcome(claim: Claim, page: ReadBundlePage): Outcome {
  const text = `${joinChunks({ chunks: page.chunks, repeats: [] })}\n`;
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
      outline: outlineOf(chunks, isFileUrl(claim.url)),
      pipelineVersion: BUNDLE_PIPELINE,
      facts: {
        fileHash: hash,
        ...(warnings.length > 0 && { warnings }),
        ...(sourceLines !== undefined && { sourceLines: linePairs(sourceLines) }),
      },
      responseMeta: {},
      outlinks: [],
      body: image === null ? null : compressBody(image),
    },
    chunks,
  };
}

/**
 * The headings in the texts, at their lines, and before them those of a chunk's heading path that no text has: the title of a web
 * page, for instance. A bundle has the anchor of each chunk; inside a chunk only those of files follow from the heading.
 */
function outlineOf(chunks: readonly Chunk[], isFile: boolean): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  const texts = new Set<string>();
  const { record, entries } = createOutliner();
  for (const chunk of chunks.filter(isMarkdown)) {
    const known = entries.length;
    for (const { line, number } of headingLines(chunk)) record(line, number);
    const inText = entries.slice(known);
    const { headings, anchor, lines } = chunk;
    for (const { text } of inText) texts.add(text);
    headings.forEach((text, depth) => {
      const isLast = depth === headings.length - 1;
      if (!texts.has(text))
        outline.push({ level: Math.min(6, depth + 1), text, anchor: isLast ? anchor : null, line: lines.first });
      texts.add(text);
    });
    inText.forEach((entry) => {
      const isOwn = entry.line === lines.first && entry.text === headings.at(-1);
      outline.push({ ...entry, anchor: isOwn ? anchor : isFile ? entry.anchor : null });
    });
  }
  return outline;
}

/** In code a line that begins with # is a comment, and keys of data are not headings. */
function isMarkdown({ passageKind }: Chunk): boolean {
  return passageKind === 'prose' || passageKind === 'table';
}

function headingLines({ text, lines }: Chunk): ReadonlyArray<{ readonly line: string; readonly number: number }> {
  return scanBlocks(text)
    .filter(({ kind }) => kind === 'heading')
    .map(({ start, end }) => ({
      line: text.slice(start, end).split('\n', 1)[0] ?? '',
      number: lines.first + text.slice(0, start).split('\n').length - 1,
    }));
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
