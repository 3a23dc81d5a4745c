// A stored page as a bundle has it.

import { readLinePairs } from '../core/chunk/source-lines.ts';
import type { ExportedPage } from '../core/export/bundle/bundle.ts';
import { assetPath } from '../core/export/pages/page-path.ts';
import { PAGE_KINDS } from '../core/model/document.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { Store } from '../store/port.ts';
import type { StoredDocument } from '../store/port/pages.ts';

export async function exportedPage(document: StoredDocument, path: string, { pages }: Store): Promise<ExportedPage> {
  const { title, description, language, mediaType, body } = document;
  const hash = fileHashOf(document);
  const chunks = await pages.chunksOf(document.version, document.url);
  const isImage = body !== null && chunks[0]?.passageKind === 'image';
  const { warnings, sourceLines, pageKind } = document.metadata;
  const kind = PAGE_KINDS.find((name) => name === pageKind);
  return {
    path,
    title,
    description,
    language,
    mediaType,
    hash,
    assetPath: isImage ? assetPath(path) : null,
    warnings: Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string') : [],
    chunks: chunks.map(withoutPage),
    sourceLines: readLinePairs(sourceLines, chunks.length),
    ...(kind !== undefined && { pageKind: kind }),
    ...(document.inlinks > 0 && { inlinks: document.inlinks }),
    outline: document.outline,
  };
}

/** What an index id is computed from: the hash of a local file, or of the text of a page. */
export function fileHashOf({ metadata: { fileHash }, contentHash }: StoredDocument): Sha256 {
  return typeof fileHash === 'string' ? (fileHash as Sha256) : contentHash;
}

/** The chunk itself, without its page. */
function withoutPage({ page: _page, ordinal: _ordinal, ...chunk }: ExportedChunk): ExportedPage['chunks'][number] {
  return chunk;
}
type ExportedChunk = Awaited<ReturnType<Store['pages']['chunksOf']>>[number];
