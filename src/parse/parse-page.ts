// What a thread does with one page: choose the reader, extract, judge, cut. The thread around it brings the limits.

import { pageKind } from '../core/analyse/page-kind.ts';
import { pageVerdict } from '../core/analyse/page-verdict.ts';
import { suspicionsOf } from '../core/analyse/suspicion.ts';
import type { ChunkLimits } from '../core/chunk/chunker.ts';
import type { Chunkers } from '../core/chunk/registry.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import type { ExtractorRegistry } from '../core/extract/registry.ts';
import type { ParsedPage } from './port.ts';

export interface PageReaders {
  readonly extractors: ExtractorRegistry;
  readonly chunkers: Chunkers;
  readonly limits: ChunkLimits;
}

export async function parsePage(page: RawPage, { extractors, chunkers, limits }: PageReaders): Promise<ParsedPage> {
  const { name, version, extract } = extractors.choose(page);
  const { document, facts } = extract(page);
  await chunkers.prepare(document);
  const { chunks, warnings } = chunkers.chunk(document, limits);
  return {
    document,
    facts,
    verdict: pageVerdict({ document, facts, ...(page.headers === undefined ? {} : { headers: page.headers }) }),
    kind: pageKind(document),
    suspicions: suspicionsOf(document.text),
    chunks,
    warnings,
    madeBy: `${name}@${version} ${chunkers.versionOf(document.format)} ${limits.targetChars}/${limits.capChars}/${limits.maxChunks}`,
    body: page.body,
  };
}
