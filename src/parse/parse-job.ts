// The jobs of a parse thread and their results.

import type { ChunkLimits, ChunkResult } from '../core/chunk/chunker.ts';
import type { Chunkers } from '../core/chunk/chunkers.ts';
import type { GrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { classifyPage } from '../core/classify/page-kind.ts';
import { pageVerdict } from '../core/classify/page-verdict.ts';
import { computeDedupeHash } from '../core/dedupe/dedupe-hash.ts';
import { outlinkKeys } from '../core/discover/link-candidates.ts';
import { parseLlmsTxt } from '../core/discover/llms/llms-txt.ts';
import { splitLlmsFull } from '../core/discover/llms/split-llms-full.ts';
import { DEFAULT_SITEMAP_LIMITS } from '../core/discover/sitemap/sitemap-entry.ts';
import { createSitemapReader } from '../core/discover/sitemap/sitemap.ts';
import { charsetOfContentType, decodeBody } from '../core/extract/decode/charset.ts';
import type { ExtractorRegistry } from '../core/extract/extractor-registry.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { versionInUrl } from '../core/extract/version-in-text.ts';
import { isFileUrl } from '../core/files/file-url.ts';
import type { Document } from '../core/model/document.ts';
import { withPackageTitle } from '../core/packages/package-title.ts';
import { packageLanguages, readPackage, type PackageDocumentation } from '../core/packages/read-package.ts';
import { withWordVectors, WORD_VECTORS_PIPELINE, type WordTable } from '../core/vector/word-vectors.ts';
import type { ThreadContract } from '../platform/worker-thread.ts';
import type { JobResults, LlmsFullBody, PackageTexts, ParsedPage } from './port.ts';

export type ParseJob =
  | { readonly kind: 'page'; readonly input: RawPage }
  | { readonly kind: 'sitemap'; readonly input: RawPage }
  | { readonly kind: 'llms-txt'; readonly input: RawPage }
  | { readonly kind: 'llms-full'; readonly input: LlmsFullBody }
  /** Its input is `PackageTexts` as JSON: one buffer crosses threads at no cost. */
  | { readonly kind: 'package'; readonly input: RawPage }
  /** Its input is empty. */
  | { readonly kind: 'pipeline-versions'; readonly input: RawPage };

export interface ParseContract extends ThreadContract {
  readonly data: Pick<PageTools, 'chunkLimits' | 'localChunkLimits'>;
  readonly input: ParseJob;
  readonly result: JobResults[ParseJob['kind']];
  readonly progress: never;
}

/** As many as the protocol allows; transferring more at a time would block the caller's thread. */
const SITEMAP_LIMITS = { ...DEFAULT_SITEMAP_LIMITS, maxEntries: 50_000 };

export async function runJob(job: ParseJob, tools: PageTools): Promise<ParseContract['result']> {
  switch (job.kind) {
    case 'page':
      return parsePage(job.input, tools);
    case 'sitemap': {
      const reader = createSitemapReader(job.input.url, SITEMAP_LIMITS);
      reader.push(job.input.body);
      return reader.end();
    }
    case 'llms-txt':
      return parseLlmsTxt(textOf(job.input), job.input.url);
    case 'llms-full':
      return splitLlmsFull({ text: textOf(job.input), url: job.input.url, listed: job.input.knownPages });
    case 'package':
      return readPackageTexts(job.input, tools);
    case 'pipeline-versions':
      return pipelineVersionsOf(tools);
  }
}

async function readPackageTexts({ body }: RawPage, { grammars }: PageTools): Promise<PackageDocumentation> {
  const { manifest, files, texts } = JSON.parse(new TextDecoder().decode(body)) as PackageTexts;
  // Declarations and Markdown are read without a grammar that is not installed.
  for (const language of packageLanguages(manifest)) await grammars.prepare(language).catch(() => undefined);
  const byPath = new Map(texts);
  return readPackage({ manifest, files, read: (path) => byPath.get(path) }, grammars);
}

async function pipelineVersionsOf({ registry, chunkers }: PageTools): Promise<readonly string[]> {
  const names = registry.extractors.map(({ name, version }) => `${name}@${version}`);
  return [...names, ...(await chunkers.versions()), WORD_VECTORS_PIPELINE];
}

function textOf({ body, mediaType }: RawPage): string {
  return decodeBody(body, charsetOfContentType(mediaType));
}

export interface PageTools {
  readonly registry: ExtractorRegistry;
  readonly chunkers: Chunkers;
  readonly grammars: GrammarLoader;
  /** For web pages: what search finds best. */
  readonly chunkLimits: ChunkLimits;
  /** For local files: what suits a bundle best. */
  readonly localChunkLimits: ChunkLimits;
  /** Null if the program was packaged without it. */
  readonly words: WordTable | null;
}

/** Extracts, classifies and chunks one page. */
async function parsePage(page: RawPage, tools: PageTools): Promise<ParsedPage> {
  const extractor = tools.registry.choose(page);
  const { document: extracted, metadata } = (await extractor.extractAsync?.(page)) ?? extractor.extract(page);
  const document = withPackageTitle(page, extracted);
  const headers = page.headers ?? {};
  const verdict = pageVerdict({ document, metadata, headers });
  const { chunks, warnings } = verdict.kind === 'not-content' ? NO_CHUNKS : await chunkDocument(page, document, tools);
  return {
    document,
    metadata,
    verdict,
    classification: classifyPage(document),
    chunks: withWordVectors(tools.words, chunks),
    chunkWarnings:
      metadata.pagesLeftOut === undefined
        ? warnings
        : [{ kind: 'too-many-pages', ...metadata.pagesLeftOut }, ...warnings],
    extractor: { name: extractor.name, version: extractor.version },
    chunker: tools.chunkers.versionOf(document),
    declaredVersion: metadata.declaredVersion ?? versionInUrl(page.url),
    dedupeHash: computeDedupeHash(document),
    outlinks: outlinkKeys(document),
    body: page.body,
  };
}

const NO_CHUNKS: Pick<ChunkResult, 'chunks' | 'warnings'> = { chunks: [], warnings: [] };

async function chunkDocument(
  { url, packageName }: RawPage,
  document: Document,
  tools: PageTools,
): Promise<ChunkResult> {
  const { chunkers, chunkLimits, localChunkLimits } = tools;
  await chunkers.prepare(document);
  if (!isFileUrl(url)) return chunkers.chunk(document, chunkLimits);
  return chunkers.chunk(
    document,
    packageName === undefined ? localChunkLimits : { ...localChunkLimits, cutsAtHeadings: false },
  );
}
