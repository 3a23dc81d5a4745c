// What a worker says of a URL that it claimed.

import type { Chunk } from '../../core/model/chunk.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { Claim, Offer, Refusal } from './claim.ts';
import type { JsonObject } from './json.ts';

export type Outcome =
  | { readonly kind: 'indexed'; readonly page: PageContent; readonly chunks: readonly Chunk[] }
  | { readonly kind: 'unchanged'; readonly etag: string | null; readonly lastModified: string | null }
  /** Known, and young enough not to be asked: it counts as unchanged, and as checked when it was. */
  | { readonly kind: 'fresh'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'moved'; readonly to: PageUrl }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not settled: asked again after the wait. */
  | { readonly kind: 'retry'; readonly reason: string; readonly inMs: number };

export interface PageContent {
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly mediaType: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256 of `text`. */
  readonly contentHash: Sha256;
  readonly text: string;
  /** Equal for pages that say the same; null for one that is never folded into another. */
  readonly twinHash: Sha256 | null;
  /** The address that the page gives for itself, where a crawl may take it. */
  readonly canonical: PageUrl | null;
  readonly outline: readonly OutlineEntry[];
  readonly madeBy: string;
  /** What was learnt of the page beside its text: kind, timing. */
  readonly facts: JsonObject;
  /** How it came: status, headers, timing. Empty for what was read from a disk. */
  readonly arrival: JsonObject;
  /** The URLs that its text leads to, each once. */
  readonly leadsTo: readonly UrlKey[];
  /** The bytes as they were received, for extracting again without the network; null where they are not kept. */
  readonly body: StoredBody | null;
}

export interface StoredBody {
  readonly encoding: 'identity' | 'zstd' | 'deflate';
  readonly bytes: Uint8Array;
}

export interface Settlement {
  readonly claim: Claim;
  readonly outcome: Outcome;
  readonly links: readonly Offer[];
  readonly refused: readonly Refusal[];
  /** Bytes received for it. */
  readonly bytes: number;
  /** How many pages the run may store; what comes later is refused, or dropped where it is known, with this reason. */
  readonly pageLimit?: { readonly pages: number; readonly reason: string };
}
