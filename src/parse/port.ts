// The port of parsing: from the bytes of a page to its document, its chunks and the verdict about it, and from the bytes of the
// files that tell where pages are to what they say.

import type { PageKind } from '../core/classify/page-kind.ts';
import type { PageVerdict } from '../core/classify/page-verdict.ts';
import type { ChunkWarning } from '../core/chunk/chunker.ts';
import type { KnownPage, LlmsFullSplit } from '../core/discover/llms/llms-full-page.ts';
import type { LlmsTxt } from '../core/discover/llms/llms-txt.ts';
import type { SitemapOutcome } from '../core/discover/sitemap/sitemap-entry.ts';
import type { PageFacts, RawPage } from '../core/extract/extractor.ts';
import type { Chunk } from '../core/model/chunk.ts';
import type { Document } from '../core/model/document.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { UrlKey } from '../core/model/page-url.ts';

/** A body of llms-full.txt, and the pages that are known before it is split. */
export interface LlmsFullBody extends RawPage {
  readonly known: readonly KnownPage[];
}

export interface JobResults {
  readonly page: ParsedPage;
  readonly sitemap: SitemapOutcome;
  readonly 'llms-txt': LlmsTxt;
  readonly 'llms-full': LlmsFullSplit;
  readonly makers: readonly string[];
}

export interface ParsedPage {
  readonly document: Document;
  readonly facts: PageFacts;
  readonly verdict: PageVerdict;
  readonly kind: PageKind;
  /** Empty for a page that is not knowledge. */
  readonly chunks: readonly Chunk[];
  readonly chunkWarnings: readonly ChunkWarning[];
  /** Who read and who cut the page. A page of older versions is read again from its stored body. */
  readonly extractor: { readonly name: string; readonly version: number };
  /** Such as `markdown@1`. */
  readonly chunker: string;
  /** Equal for pages that say the same. */
  readonly twinHash: Sha256;
  /** The URLs that its text leads to, each once. */
  readonly leadsTo: readonly UrlKey[];
  /** The same bytes that came in; the array that was passed may be empty by now. */
  readonly body: Uint8Array;
}

/**
 * Reads pages, hostile ones among them.
 *
 * The result depends on the page alone: the same page gives the same result on every call, in any order and on any
 * adapter. A page that cannot be read fails alone, with `extract.malformed`, `extract.unsupported`, `fetch.too-large`,
 * `chunk.grammar-missing`, `parse.timeout` or `parse.memory`; the pages beside and after it are read as if it had never come. Nothing of a
 * page's text ever appears in an error.
 *
 * Every call takes the body over: its memory may move away while it is read. A page's body comes back in the result.
 * It never blocks the caller's thread for longer than handing over the bytes and the document takes. When more pages
 * wait than the adapter is willing to hold, it fails with `parse.busy`, which is worth a retry.
 *
 * An aborted call rejects with the signal's reason at once, whatever the page is doing.
 *
 * src/parse/thread-parser.test.ts shows each of these sentences.
 */
export interface Parser {
  parse(page: RawPage, signal?: AbortSignal): Promise<ParsedPage>;
  /** A sitemap that came whole. One that is read as it arrives needs no thread: each piece is a little work. */
  readSitemap(file: RawPage, signal?: AbortSignal): Promise<SitemapOutcome>;
  readLlmsTxt(file: RawPage, signal?: AbortSignal): Promise<LlmsTxt>;
  splitLlmsFull(file: LlmsFullBody, signal?: AbortSignal): Promise<LlmsFullSplit>;
  /** Every extractor and chunker with its version, such as `html@3`. A page made by others is to be made again. */
  makers(signal?: AbortSignal): Promise<readonly string[]>;
  /** Pages still waiting or being read are rejected; resolves when nothing runs any more. Closing twice is fine. */
  close(): Promise<void>;
}
