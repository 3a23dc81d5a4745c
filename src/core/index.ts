// The public entry `pinakes/core`. Everything is pure: the same input gives the same result in Node, in a worker and in a
// browser.

export { chunkId, estimateTokens, type Chunk, type ChunkId, type PassageKind } from './model/chunk.ts';
export type { Document, DocumentFormat, Link, OutlineEntry } from './model/document.ts';
export { PinakesError, errorCatalog, pinakesError, type ErrorCode } from './model/errors.ts';
export { sha256Hex, type Sha256 } from './model/hash.ts';
export { hostOf, pageUrl, parsePageUrl, urlKey, type PageUrl, type UrlKey } from './model/page-url.ts';

// Normalising and filtering URLs.
export { compileGlob, matchesGlob, type Glob } from './url/glob.ts';
export { normalizeUrl, type NormalizeVerdict } from './url/normalize.ts';
export { queryVerdict, type QueryPolicy, type QueryVerdict } from './url/query-policy.ts';
export {
  compileUrlFilter,
  urlFilterVerdict,
  type UrlFilter,
  type UrlFilterSettings,
  type UrlFilterVerdict,
} from './url/url-filter.ts';
export { trapVerdict, type TrapLimits, type TrapVerdict } from './url/crawl-traps.ts';

// Discovery: robots.txt, sitemaps, llms.txt, Markdown variants.
export { crawlDelayMs, parseRobots, robotsVerdict, type Robots, type RobotsVerdict } from './discover/robots/robots.ts';
export { pageDirectives, type PageDirectives } from './discover/robots/robots-meta.ts';
export { createSitemapReader, type SitemapReader } from './discover/sitemap/sitemap.ts';
export type { SitemapEntry, SitemapLimits, SitemapOutcome } from './discover/sitemap/sitemap-entry.ts';
export { parseLlmsTxt, type LlmsLink, type LlmsTxt } from './discover/llms/llms-txt.ts';
export { splitLlmsFull, type LlmsFullFile } from './discover/llms/split-llms-full.ts';
export type { ListedPage, LlmsFullSplit } from './discover/llms/llms-full-page.ts';
export { markdownVariant, type MarkdownRoute } from './discover/markdown/markdown-route.ts';

// Extraction.
export { extractors } from './extract/extractors.ts';
export { formats } from '../formats/formats.ts';
export { createExtractorRegistry, type ExtractorRegistry } from './extract/extractor-registry.ts';
export type { Extraction, Extractor, ExtractedMetadata, RawPage } from './extract/extractor.ts';
export { decodeBody } from './extract/decode/charset.ts';

// Classification.
export { classifyPage, type PageClassification } from './classify/page-kind.ts';
export { pageVerdict, type ClassifiedPage, type PageVerdict } from './classify/page-verdict.ts';
export { detectInjection, type InjectionFlag } from './classify/prompt-injection.ts';

// Chunking.
export { bundleLimits, type ChunkLimits, type ChunkResult, type ChunkWarning } from './chunk/chunker.ts';
export { chunkRef, chunkSlug, compareChunks, shortChunkId, type ChunkWithPath } from './chunk/chunk-names.ts';
export { createGrammarLoader, type GrammarFiles, type GrammarLoader } from './chunk/code/grammar-loader.ts';
export { joinChunks } from './chunk/finalize-chunks.ts';
export { createChunkers, type Chunkers } from './chunk/chunkers.ts';

// Package readers: what the folder of an installed package documents.
export type { PackageFile, PackageFolder, PackageManifest } from './packages/package-folder.ts';
export type { PackagePage, PackageSymbol } from './packages/symbol-page.ts';
export { selectPackageFiles, type PackageFileKind, type SelectedFile } from './packages/package-files.ts';
export {
  PACKAGE_READER_VERSION,
  packageLanguages,
  readPackage,
  type PackageDocumentation,
} from './packages/read-package.ts';

// Search in memory, without a server: an index of pages, its ranked pages, and their passages.
export {
  createMemoryIndex,
  type MemoryPage,
  type MemorySegment,
  type MemoryVersion,
} from './lexical/segment/memory-index.ts';
export type { IndexEntry } from './lexical/segment/fields.ts';
export type { IndexReader } from './lexical/query/index-reader.ts';
export type { SourceId, VersionId } from './model/run.ts';
export { retrievePages, type RetrievalOptions, type RetrievalResult } from './rank/lexical-retrieval.ts';
export { answerPassages, type AnswerLimits, type Passage, type PassageAnswer } from './answer/answer-passages.ts';
export {
  getChunk,
  listOutline,
  listSymbols,
  type OutlinePage,
  type OutlineSection,
  type SymbolEntry,
} from './outline/list-outline.ts';
export type { SearchFilter } from './lexical/query/search-filter.ts';
export { parseWordTable, type WordTable } from './vector/word-vectors.ts';
export { tokenize, tokenizerVersion } from './lexical/tokenize/tokenize.ts';

// Bundles: each file as it is written, in parts, and read back; and whole bundles as an archive.
export { createBundleBuilder, type BundleBuilder } from './export/bundle/bundle-builder.ts';
export {
  computeIndexId,
  type Bundle,
  type BundleChunk,
  type BundleFormat,
  type BundleMeta,
  type BundlePage,
  type BundlePageMeta,
  type ExportedPage,
} from './export/bundle/bundle.ts';
export {
  bundleEntries,
  exportBundle,
  type BundleEntry,
  type ExportedBundle,
  type PageWithImage,
} from './export/bundle/export-bundle.ts';
export { chunkFile, textOfChunkFile } from './export/bundle/chunk-file.ts';
export { indexJson, readIndexJson, type ContentOf, type IndexJson } from './export/bundle/index-json.ts';
export { writeCatalog, writeOutline, writePointer } from './export/bundle/markdown-files.ts';
export { manifestJson, manifestMin, readManifestJson, type JsonManifest } from './export/manifest/manifest-json.ts';
export {
  manifestTables,
  manifestTsv,
  readManifestTsv,
  type ManifestTables,
  type TsvChunk,
  type TsvFile,
  type TsvManifest,
} from './export/manifest/manifest-tsv.ts';
export { pinakesJson, readPinakesJson, type PinakesManifest } from './export/manifest/pinakes-json.ts';
export { readBundle, type BundleReader, type ReadBundlePage } from './export/bundle/read-bundle.ts';
export { assetPath } from './export/pages/page-path.ts';
export { createZipWriter, type ZipWriter } from './export/zip/zip-writer.ts';
export { readZip } from './extract/archive/read-zip.ts';
export { fileKind } from './files/file-kind.ts';
export type { FileKind } from './files/file-kind.ts';
