// What a thread does with one page: choose the reader, extract, judge, cut. The thread around it brings the limits.

import { pageKind } from '../core/analyse/page-kind.ts';
import { pageVerdict } from '../core/analyse/page-verdict.ts';
import { suspicionsOf } from '../core/analyse/suspicion.ts';
import type { ChunkLimits } from '../core/chunk/chunker.ts';
import type { Chunkers } from '../core/chunk/registry.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import type { ExtractorRegistry } from '../core/extract/registry.ts';
import type { ParsedPage } from './port.ts';

export function parsePage(page: RawPage, registry: ExtractorRegistry): ParsedPage {
  const extractor = registry.choose(page);
  const { document, facts } = extractor.extract(page);
  return {
    document,
    facts,
    verdict: pageVerdict({ document, facts, ...(page.headers === undefined ? {} : { headers: page.headers }) }),
    kind: pageKind(document),
    suspicions: suspicionsOf(document.text),
    extractor: { name: extractor.name, version: extractor.version },
    body: page.body,
  };
}
