// What the last run read of llms-full.txt: its pages, and what the site said of the file. A file that is the same is not
// fetched, split and kept again.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { KnownPage, LlmsFullPage } from '../../core/discover/llms/llms-full-page.ts';
import { LLMS_FULL_SPLIT_VERSION } from '../../core/discover/llms/split-llms-full.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import type { Store } from '../../store/port.ts';

const PAGES = 'llms-full-pages';
const LIST = 'llms-full-list';

/** Which reading of which file. */
export interface LlmsFullMark {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** How a file is split depends on the pages that are known otherwise, and on the code that does it. */
  readonly basis: string;
}

export interface KeptLlmsFull extends LlmsFullMark {
  readonly urls: readonly PageUrl[];
}

export type CoveredPage = Pick<LlmsFullPage, 'url' | 'text'>;

export function basisOf(known: readonly KnownPage[]): string {
  return sha256Hex(JSON.stringify([LLMS_FULL_SPLIT_VERSION, known.map(({ url, title }) => [url, title])]));
}

export async function keptLlmsFull(store: Store, version: VersionId): Promise<KeptLlmsFull | null> {
  const file = await store.sources.file(version, LIST);
  return file === null ? null : (read(file.body.bytes) as KeptLlmsFull | null);
}

/** Under the addresses that the file states. */
export async function keptLlmsFullPages(store: Store, version: VersionId): Promise<readonly CoveredPage[]> {
  const file = await store.sources.file(version, PAGES);
  if (file === null) return [];
  return (read(file.body.bytes) as [PageUrl, string][]).map(([url, text]) => ({ url, text }));
}

/** A kill may come between two writes. So the list is taken back first: without it the file is read again. */
export async function keepLlmsFull(
  store: Store,
  version: VersionId,
  { file, pages, mark }: { file: PageUrl; pages: readonly CoveredPage[]; mark: LlmsFullMark | null },
): Promise<void> {
  const keep = (name: string, content: unknown): Promise<void> =>
    store.sources.keepFile(version, name, { url: file, body: { encoding: 'zstd', bytes: packed(content) } });
  await keep(LIST, null);
  await keep(
    PAGES,
    pages.map(({ url, text }) => [url, text]),
  );
  if (mark !== null) await keep(LIST, { ...mark, urls: pages.map(({ url }) => url) } satisfies KeptLlmsFull);
}

function packed(content: unknown): Uint8Array {
  return zstdCompressSync(Buffer.from(JSON.stringify(content)));
}

function read(bytes: Uint8Array): unknown {
  return JSON.parse(decodeUtf8(zstdDecompressSync(bytes)));
}
