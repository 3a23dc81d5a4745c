// A bundle is a source exported as files: its content, independent of the format.

import type { SecretFinding } from '../secrets/scan-secrets.ts';
import type { SiteTerms } from '../../discover/licenses.ts';
import type { FileKind } from '../../files/file-kind.ts';
import type { Chunk } from '../../model/chunk.ts';
import type { OutlineEntry, PageKindName } from '../../model/document.ts';
import { sha256Hex, type Sha256 } from '../../model/hash.ts';

/** The pages of a bundle, iterated one by one: a large source has tens of thousands of chunks. */
export interface PageList extends Iterable<BundlePage> {
  readonly size: number;
}

export interface BundleMeta {
  readonly name: string;
  /** The user's name for the version; empty if there is none. */
  readonly version: string;
  /** Version that the site declares for the documented product; absent or null if none. */
  readonly declaredVersion?: string | null;
  /** Start URL of a crawled source; null for local files, whose location is private. */
  readonly startUrl: string | null;
  /** What the site states about the use of its pages; absent if it states nothing. */
  readonly terms?: SiteTerms;
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
  /** The image in the bundle, by `assetPath`; null if the page is not an image. */
  readonly assetPath: string | null;
  /** Where its text was truncated, in a sentence each. */
  readonly warnings: readonly string[];
  /** As classified when it was stored, which its chunks alone do not allow; absent if unknown. */
  readonly pageKind?: PageKindName;
  /** Pages of the source that link to it, for ranking; absent if none. */
  readonly inlinks?: number;
  /** The sections of a web page, whose anchors and definitions its texts do not show; absent for a file, whose text has them. */
  readonly outline?: readonly OutlineEntry[];
}

export interface ExportedPage extends BundlePageMeta {
  readonly chunks: readonly Chunk[];
  /** The lines of the file that each chunk was read from; absent if they are those of its text. */
  readonly sourceLines?: readonly Chunk['lines'][] | undefined;
}

/** A chunk without its text: texts are written one by one and are never all in memory. */
export interface BundleChunk extends Omit<Chunk, 'text'> {
  readonly ref: string;
  readonly slug: string;
  /** In the file: `lines` of a bundle say where a text is from. */
  readonly lines: Chunk['lines'];
  /** In the extracted text, if its lines are not those of the file. */
  readonly textLines?: Chunk['lines'];
  /** 0-based position in the document; parts of one long line differ only in their ids otherwise. */
  readonly ordinal: number;
}

export interface BundlePage extends BundlePageMeta {
  readonly kind: FileKind;
  /** Ordered by lines, then id. */
  readonly chunks: readonly BundleChunk[];
}

export interface Bundle {
  readonly meta: BundleMeta;
  readonly indexId: Sha256;
  /** Sorted by path. */
  readonly pages: PageList;
  readonly chunks: number;
  /** Characters of all chunk texts. */
  readonly chars: number;
  /** Estimated tokens of all chunk texts. */
  readonly tokens: number;
  /** The terms of all chunks, as `index.json` has them, in parts; null if they were not requested. */
  readonly invertedIndex: (() => Iterable<string>) | null;
  readonly secrets: readonly SecretFinding[];
  readonly leftOut: readonly LeftOutFile[];
}

/** A file of the folder that the bundle does not have, such as one above the size limit. */
export interface LeftOutFile {
  readonly path: string;
  /** The reason, in a sentence. */
  readonly message: string;
}

/** `full` has every file and front matter; `compact` has what a reader with a token budget needs. */
export type BundleFormat = 'full' | 'compact';

/** Identity of the content: equal ids mean equal files, independent of their order and of chunking. */
export function computeIndexId(files: ReadonlyArray<{ readonly path: string; readonly hash: string }>): Sha256 {
  const lines = files.map(({ path, hash }) => `${path}\n${hash}\n`);
  return sha256Hex(lines.sort().join(''));
}

/** The last line of a file that a chunk has: its length, as far as a bundle knows. */
export function lastLine({ chunks }: BundlePage): number {
  return chunks.reduce((last, { lines }) => Math.max(last, lines.last), 0);
}
