// A URL on its way: offered or refused, then claimed by a worker.

import type { Sha256 } from '../../core/model/hash.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { RunId, SourceId, VersionId } from '../../core/model/run.ts';
import type { Turn } from './hosts.ts';

/** Which level of the discovery cascade found a URL. */
export const FOUND_BY = ['seed', 'llms-txt', 'llms-full', 'sitemap', 'link', 'known'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

export interface Offer {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  /** Lower is asked earlier within its host. */
  readonly rank: number;
  /** Redirects in a row that led here; 0 unless given. */
  readonly hops?: number;
  /** The page that links to it, by its address or by its key. */
  readonly parent: PageUrl | UrlKey | null;
  /** Whose pace it obeys; the URL's own host unless given. Pages of a bundle are read from a file, so nobody is asked. */
  readonly host?: string;
}

/** A URL that was never asked, with the rule that refused it. */
export interface Refusal {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  readonly reason: string;
  readonly parent: PageUrl | UrlKey | null;
}

export interface Claim extends Turn {
  readonly run: RunId;
  readonly source: SourceId;
  readonly version: VersionId;
  readonly worker: string;
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  /** Grows with every claim of this URL. A settlement with an older fence is refused. */
  readonly fence: number;
  /** Claims of this URL in this run, this one included. */
  readonly attempts: number;
  /** Claims of this URL in this run that ended with their lease: its worker died or stalled. */
  readonly crashes: number;
  /** Redirects and canonical links in a row that led here. */
  readonly hops: number;
  readonly known: KnownPage | null;
}

export interface KnownPage {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentHash: Sha256;
  /** Names and versions of the extractor and chunker that made the stored document; empty for one to be made again. */
  readonly madeBy: string;
  /** The key of the page that stands for it, where it is folded. */
  readonly aliasOf: UrlKey | null;
  /** Since its site was last asked about it. */
  readonly checkedAgoMs: number;
  /** What it is for; null where nobody looked. */
  readonly kind: string | null;
}
