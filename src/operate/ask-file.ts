// Asks for one of the files that tell where pages are, following redirects.

import type { PageUrl } from '../core/model/page-url.ts';
import type { FetchedPage, FetchRequest } from '../fetch/port.ts';
import type { AskHost } from '../crawl/polite/polite-fetch.ts';
import { askFollowing } from '../crawl/polite/follow-redirects.ts';

const MAX_REDIRECTS = 5;

export interface AskedFile extends FetchedPage {
  /** Where it was found after redirects. */
  readonly url: PageUrl;
}

export type FileOutcome =
  | ({ readonly kind: 'file' } & AskedFile)
  /** Only where validators were sent. */
  | { readonly kind: 'unchanged' }
  /** There is no such file, or it cannot be had: a crawl goes on without it. */
  | { readonly kind: 'none'; readonly because: string };

export async function askFileOutcome(
  ask: AskHost,
  start: PageUrl,
  wanted: Pick<FetchRequest, 'accept' | 'cutAtBytes' | 'etag' | 'lastModified'>,
): Promise<FileOutcome> {
  const { url, end } = await askFollowing(start, {
    ask: (place) => ask({ ...wanted, url: place }),
    maxRedirects: MAX_REDIRECTS,
  });
  if (end.kind === 'broken') return { kind: 'none', because: end.verdict.rule };
  if (end.kind === 'refused') return { kind: 'none', because: end.rule };
  const { outcome } = end;
  switch (outcome.kind) {
    case 'fetched':
      return { ...outcome, kind: 'file', url };
    case 'failed':
      return { kind: 'none', because: `${outcome.code}: ${outcome.reason}` };
    case 'gone':
    case 'throttled':
      return { kind: 'none', because: `status ${outcome.status}` };
    case 'unchanged':
      return { kind: 'unchanged' };
  }
}

export async function askFile(ask: AskHost, start: PageUrl, accept: string): Promise<AskedFile | null> {
  const outcome = await askFileOutcome(ask, start, { accept });
  return outcome.kind === 'file' ? outcome : null;
}
