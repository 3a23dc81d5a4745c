// A bundle is a source as files that one can carry away: what it holds, before it is written in any form.

import type { Chunk } from '../../model/chunk.ts';
import type { Sha256 } from '../../model/hash.ts';
import type { SecretFinding } from '../secrets/scan-secrets.ts';

/** The pages of a bundle, read one after the other: a large source has tens of thousands of chunks. */
export interface PageList extends Iterable<BundlePage> {
  readonly size: number;
}

export interface BundleAbout {
  readonly name: string;
  /** What the user called the version; empty where none was given. */
  readonly version: string;
  /** Where a crawled source begins; null for local files, whose place is nobody else's business. */
  readonly origin: string | null;
}

/** What is said of a page or a file beside its chunks. */
export interface PageFacts {
  /** The page's URL, or the file's path inside its folder. */
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly mediaType: string;
  /** SHA-256 of the file's bytes, or of a crawled page's text. */
  readonly hash: Sha256;
  /** The ending under which the image itself lies in `images/`; null for all that is no image. */
  readonly imageEnding: string | null;
}

export interface ExportedPage extends PageFacts {
  readonly chunks: readonly Chunk[];
}

/** A chunk without its text: texts are written one by one, and never all in memory. */
export interface BundleChunk extends Omit<Chunk, 'text'> {
  readonly ref: string;
  readonly slug: string;
  /** 0-based position in the document; pieces of one long line are otherwise told apart by their ids alone. */
  readonly ordinal: number;
  /** How many lines its text has; more than its `lines` where a fence or a table header was repeated. */
  readonly textLines: number;
  /** The beginning of its text, in one line. */
  readonly summary: string;
}

export interface BundlePage extends PageFacts {
  readonly chunks: readonly BundleChunk[];
}

export interface Bundle {
  readonly about: BundleAbout;
  readonly indexId: Sha256;
  /** By path. */
  readonly pages: PageList;
  readonly chunks: number;
  /** Of all chunk texts, estimated. */
  readonly tokens: number;
  /** `index.json`, piece by piece; null where it was not asked for. */
  readonly indexJson: (() => Iterable<string>) | null;
  readonly secrets: readonly SecretFinding[];
}

/** `full` has every file and front matter; `compact` has what a reader with a token budget needs. */
export type BundleForm = 'full' | 'compact';
