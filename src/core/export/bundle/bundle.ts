// A bundle is a source exported as files: its content, independent of the format.

import type { SecretFinding } from '../secrets/scan-secrets.ts';
import type { Chunk } from '../../model/chunk.ts';
import { sha256Hex, type Sha256 } from '../../model/hash.ts';

/** The pages of a bundle, iterated one by one: a large source has tens of thousands of chunks. */
export interface PageList extends Iterable<BundlePage> {
  readonly size: number;
}

export interface BundleMeta {
  readonly name: string;
  /** The user's name for the version; empty if there is none. */
  readonly version: string;
  /** Start URL of a crawled source; null for local files, whose location is private. */
  readonly origin: string | null;
}

/** Metadata of a page or file. */
export interface BundlePageMeta {
  /** URL of the page, or path of the file inside its folder. */
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly mediaType: string;
  /** SHA-256 of the bytes of a file, or of the text of a crawled page. */
  readonly hash: Sha256;
  /** File extension of the image in `images/`; null if the page is not an image. */
  readonly imageExtension: string | null;
}

export interface ExportedPage extends BundlePageMeta {
  readonly chunks: readonly Chunk[];
}

/** A chunk without its text: texts are written one by one and are never all in memory. */
export interface BundleChunk extends Omit<Chunk, 'text'> {
  readonly ref: string;
  readonly slug: string;
  /** 0-based position in the document; parts of one long line differ only in their ids otherwise. */
  readonly ordinal: number;
  /** Number of lines of its text; more than its `lines` if a fence or a table header was repeated. */
  readonly textLines: number;
  /** The start of its text, on one line. */
  readonly summary: string;
}

export interface BundlePage extends BundlePageMeta {
  readonly chunks: readonly BundleChunk[];
}

export interface Bundle {
  readonly meta: BundleMeta;
  readonly indexId: Sha256;
  /** Sorted by path. */
  readonly pages: PageList;
  readonly chunks: number;
  /** Estimated tokens of all chunk texts. */
  readonly tokens: number;
  /** `index.json`, generated in parts; null if it was not requested. */
  readonly indexJson: (() => Iterable<string>) | null;
  readonly secrets: readonly SecretFinding[];
}

/** `full` has every file and front matter; `compact` has what a reader with a token budget needs. */
export type BundleFormat = 'full' | 'compact';

/** Identity of the content: equal ids mean equal files, independent of their order and of chunking. */
export function computeIndexId(files: ReadonlyArray<{ readonly path: string; readonly hash: string }>): Sha256 {
  const lines = files.map(({ path, hash }) => `${path}\n${hash}\n`);
  return sha256Hex(lines.sort().join(''));
}

/** Number of lines of a text, including the empty one after a final line feed. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
