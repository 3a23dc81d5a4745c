// The parts of a stored page that do not depend on where it came from: its content hash, pipeline version and response
// metadata.

import { hash } from 'node:crypto';
import { truncations } from '../../core/chunk/chunker.ts';
import { linePairs, sourceLines } from '../../core/chunk/source-lines.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import { WORD_VECTORS_PIPELINE } from '../../core/vector/word-vectors.ts';
import type { FetchedPage } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { JsonObject } from '../../store/port/json.ts';

/** SHA-256 of a page's text by Node's native code; `core` has a slower JavaScript version for places without Node. */
export function contentHashOf(text: string): Sha256 {
  return hash('sha256', text) as Sha256;
}

/**
 * The versions of a stored page's extractor, chunker and word vectors. A page with an outdated version is reprocessed from its stored
 * body.
 */
export function pipelineVersionOf({ extractor, chunker }: Pick<ParsedPage, 'extractor' | 'chunker'>): string {
  return `${extractor.name}@${extractor.version} ${chunker} ${WORD_VECTORS_PIPELINE}`;
}

/** What is stored about a page besides its text. */
export function metadataOf({
  classification,
  chunks,
  chunkWarnings,
  metadata: { lineOrigins },
}: ParsedPage): JsonObject {
  const { pageKind, confidence } = classification;
  const warnings = truncations(chunkWarnings);
  return {
    pageKind,
    confidence,
    ...(warnings.length > 0 && { warnings }),
    ...(lineOrigins !== undefined && { sourceLines: linePairs(sourceLines(chunks, lineOrigins)) }),
  };
}

/** Pages imported from a bundle are never reprocessed. */
const BUNDLE_PREFIX = 'bundle@';

export function isCurrentPipeline(pipelineVersion: string, current: ReadonlySet<string>): boolean {
  if (pipelineVersion.startsWith(BUNDLE_PREFIX)) return true;
  return pipelineVersion !== '' && pipelineVersion.split(' ').every((part) => current.has(part));
}

/** Only headers about the page itself; cookies and the rest are dropped. */
const RECORDED_HEADERS = [
  'age',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'server',
  'vary',
  'x-robots-tag',
] as const;

const MAX_HEADER_CHARS = 500;

/** Response metadata stored with a page (status, selected headers, timing), for debugging. */
export function responseMetaOf(fetched: FetchedPage, bodyBytes: number): JsonObject {
  const { status, headers, wireBytes, firstByteMs, totalMs } = fetched;
  // It came from llms-full.txt, without its own request.
  if (wireBytes === 0) return {};
  const recorded = RECORDED_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value.slice(0, MAX_HEADER_CHARS)] as const];
  });
  return {
    status,
    wireBytes,
    bodyBytes,
    firstByteMs: Math.round(firstByteMs),
    totalMs: Math.round(totalMs),
    headers: Object.fromEntries(recorded),
  };
}
