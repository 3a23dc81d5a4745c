// Cache of the split llms-full.txt: its pages with the validators of the file. An unchanged file is not downloaded,
// split and stored again.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ListedPage, LlmsFullPage } from '../../core/discover/llms/llms-full-page.ts';
import { LLMS_FULL_SPLIT_VERSION } from '../../core/discover/llms/split-llms-full.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import type { Store } from '../../store/port.ts';

const PAGES_FILE = 'llms-full-pages';
const LIST_FILE = 'llms-full-list';

/** Identifies the cached version of the file. */
export interface LlmsFullValidators {
  readonly location: PageUrl;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Hash of the other inputs of the split: its location, the pages known from elsewhere, and the version of the code. */
  readonly inputHash: string;
}

export interface CachedLlmsFull extends LlmsFullValidators {
  readonly urls: readonly PageUrl[];
}

export type LlmsFullText = Pick<LlmsFullPage, 'url' | 'text'>;

export function inputHashOf(location: PageUrl, knownPages: readonly ListedPage[]): string {
  return sha256Hex(
    JSON.stringify([LLMS_FULL_SPLIT_VERSION, location, knownPages.map(({ url, title }) => [url, title])]),
  );
}

export async function loadLlmsFullList(store: Store, version: VersionId): Promise<CachedLlmsFull | null> {
  const file = await store.sources.file(version, LIST_FILE);
  return file === null ? null : (unpack(file.body.bytes) as CachedLlmsFull | null);
}

/** Under the URLs that the file states. */
export async function loadLlmsFullPages(store: Store, version: VersionId): Promise<readonly LlmsFullText[]> {
  const file = await store.sources.file(version, PAGES_FILE);
  if (file === null) return [];
  return (unpack(file.body.bytes) as [PageUrl, string][]).map(([url, text]) => ({ url, text }));
}

/** A kill may come between two writes, so the list is cleared first: without it the file is fetched again. */
export async function saveLlmsFull(
  store: Store,
  version: VersionId,
  { file, pages, validators }: { file: PageUrl; pages: readonly LlmsFullText[]; validators: LlmsFullValidators | null },
): Promise<void> {
  const save = (name: string, content: unknown): Promise<void> =>
    store.sources.saveFile(version, name, { url: file, body: { encoding: 'zstd', bytes: pack(content) } });
  await save(LIST_FILE, null);
  await save(
    PAGES_FILE,
    pages.map(({ url, text }) => [url, text]),
  );
  if (validators !== null)
    await save(LIST_FILE, { ...validators, urls: pages.map(({ url }) => url) } satisfies CachedLlmsFull);
}

function pack(content: unknown): Uint8Array {
  return zstdCompressSync(Buffer.from(JSON.stringify(content)));
}

function unpack(bytes: Uint8Array): unknown {
  return JSON.parse(decodeUtf8(zstdDecompressSync(bytes)));
}
