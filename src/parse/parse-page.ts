// What a thread does with one page: choose the reader, extract, judge, cut. The thread around it brings the limits.

import { pageKind } from '../core/classify/page-kind.ts';
import { pageVerdict } from '../core/classify/page-verdict.ts';
import { twinHash } from '../core/dedupe/dedupe-hash.ts';
import type { ChunkLimits, ChunkResult } from '../core/chunk/chunker.ts';
import type { Chunkers } from '../core/chunk/chunkers.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { leadsTo } from '../core/discover/leads-to.ts';
import type { ExtractorRegistry } from '../core/extract/extractor-registry.ts';
import { isFileUrl } from '../core/files/file-url.ts';
import type { Document } from '../core/model/document.ts';
import type { ParsedPage } from './port.ts';

export interface PageTools {
  readonly registry: ExtractorRegistry;
  readonly chunkers: Chunkers;
  /** Of pages from the web: what search finds best. */
  readonly chunkLimits: ChunkLimits;
  /** Of local files: what a bundle carries best. */
  readonly localChunkLimits: ChunkLimits;
}

export async function parsePage(page: RawPage, tools: PageTools): Promise<ParsedPage> {
  const extractor = tools.registry.choose(page);
  const { document, facts } = extractor.extract(page);
  const headers = page.headers ?? {};
  const verdict = pageVerdict({ document, facts, headers });
  const { chunks, warnings } = verdict.kind === 'knowledge' ? await cut(page, document, tools) : NOTHING;
  return {
    document,
    facts,
    verdict,
    kind: pageKind(document),
    chunks,
    chunkWarnings: warnings,
    extractor: { name: extractor.name, version: extractor.version },
    chunker: tools.chunkers.versionOf(document.format),
    twinHash: twinHash(document),
    leadsTo: leadsTo(document),
    body: page.body,
  };
}

const NOTHING: Pick<ChunkResult, 'chunks' | 'warnings'> = { chunks: [], warnings: [] };

async function cut({ url }: RawPage, document: Document, tools: PageTools): Promise<ChunkResult> {
  const { chunkers, chunkLimits, localChunkLimits } = tools;
  await chunkers.prepare(document);
  return chunkers.chunk(document, isFileUrl(url) ? localChunkLimits : chunkLimits);
}
