// The parse port: from the bytes of a page to its document, chunks and verdict, and from the bytes of discovery files
// to their contents.

import type { PageClassification } from '../core/classify/page-kind.ts';
import type { PageVerdict } from '../core/classify/page-verdict.ts';
import type { ChunkWarning } from '../core/chunk/chunker.ts';
import type { ListedPage, LlmsFullSplit } from '../core/discover/llms/llms-full-page.ts';
import type { LlmsTxt } from '../core/discover/llms/llms-txt.ts';
import type { SitemapOutcome } from '../core/discover/sitemap/sitemap-entry.ts';
import type { ExtractedMetadata, RawPage } from '../core/extract/extractor.ts';
import type { Chunk } from '../core/model/chunk.ts';
import type { Document } from '../core/model/document.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { UrlKey } from '../core/model/page-url.ts';
import type { PackageFolder } from '../core/packages/package-folder.ts';
import type { PackageDocumentation } from '../core/packages/read-package.ts';

/** The body of llms-full.txt, and the pages known before it is split. */
export interface LlmsFullBody extends RawPage {
  readonly knownPages: readonly ListedPage[];
}

export interface JobResults {
  readonly page: ParsedPage;
  readonly sitemap: SitemapOutcome;
  readonly 'llms-txt': LlmsTxt;
  readonly 'llms-full': LlmsFullSplit;
  readonly package: PackageDocumentation;
  readonly 'pipeline-versions': readonly string[];
}

/** A package folder with the texts that its reader may need. */
export interface PackageTexts extends Omit<PackageFolder, 'read'> {
  /** By path. */
  readonly texts: ReadonlyArray<readonly [string, string]>;
}

/**
 * @example
 * const textsOf = ({ chunks }: ParsedPage): string[] => chunks.map(({ text }) => text);
 */
export interface ParsedPage {
  readonly document: Document;
  readonly metadata: ExtractedMetadata;
  readonly verdict: PageVerdict;
  readonly classification: PageClassification;
  /** Empty for a page whose verdict is not `content`. */
  readonly chunks: readonly Chunk[];
  readonly chunkWarnings: readonly ChunkWarning[];
  /** Which extractor and chunker processed the page. A page of older versions is reprocessed from its stored body. */
  readonly extractor: { readonly name: string; readonly version: number };
  /** Such as `markdown@1`. */
  readonly chunker: string;
  /** The version of the documented product that the page or its URL states. */
  readonly declaredVersion: string | null;
  /** Equal for pages with the same content. */
  readonly dedupeHash: Sha256;
  /** The URLs that its text links to, each once. */
  readonly outlinks: readonly UrlKey[];
  /** The bytes that were passed in; the passed array may have been detached. */
  readonly body: Uint8Array;
}

/**
 * Parses pages, hostile ones included.
 *
 * The result depends on the page alone: the same page gives the same result on every call, in any order and on any
 * adapter. A page that cannot be parsed fails alone, with `extract.malformed`, `extract.unsupported`,
 * `fetch.too-large`, `parse.timeout` or `parse.memory`; other pages are not affected. Nothing
 * of a page's text ever appears in an error.
 *
 * Every call takes ownership of the body, which may be transferred to another thread. A page's body is returned in the
 * result. The caller's thread is never blocked for longer than transferring the bytes and the document takes. When more
 * pages are waiting than the adapter accepts, it fails with `parse.busy`, which is retryable.
 *
 * An aborted call rejects with the signal's reason immediately, whatever the page is doing.
 *
 * src/parse/thread-parser.test.ts covers each of these sentences.
 *
 * @example
 * const titleOf = async (parser: Parser, page: Parameters<Parser['parse']>[0]): Promise<string> =>
 *   (await parser.parse(page)).document.title;
 */
export interface Parser {
  parse(page: RawPage, signal?: AbortSignal): Promise<ParsedPage>;
  /** A complete sitemap. One that is parsed as it arrives needs no thread, because each part is little work. */
  readSitemap(file: RawPage, signal?: AbortSignal): Promise<SitemapOutcome>;
  readLlmsTxt(file: RawPage, signal?: AbortSignal): Promise<LlmsTxt>;
  splitLlmsFull(file: LlmsFullBody, signal?: AbortSignal): Promise<LlmsFullSplit>;
  /** What is documentation in a package, and pages made from its declarations. Fails as `parse` does. */
  readPackage(folder: PackageTexts, signal?: AbortSignal): Promise<PackageDocumentation>;
  /**
   * Every extractor and chunker with its version, such as `html@3`. A page of other versions is due for reprocessing.
   */
  pipelineVersions(signal?: AbortSignal): Promise<readonly string[]>;
  /** Pages waiting or being parsed are rejected; resolves when nothing runs any more. Closing twice is fine. */
  close(): Promise<void>;
}
