// Gets the content of a page: from llms-full.txt where that holds it, from its Markdown twin where the host has them, else
// from the page itself.

import { markdownProblem, markdownTwin } from '../core/discover/markdown-route.ts';
import { decodeUtf8 } from '../core/model/text.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import { hostOf } from '../core/model/page-url.ts';
import type { Claim } from '../store/port.ts';
import { MARKDOWN_ACCEPT } from './choose-route.ts';
import type { CrawlStages } from './stages.ts';
import type { VersionLore } from './version-lore.ts';
import { waitFor } from './wait-for.ts';

export async function fetchPage(
  claim: Claim,
  lore: VersionLore,
  stages: CrawlStages,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  const covered = lore.pages.get(claim.url);
  if (covered !== undefined) return fromLlmsFull(covered);
  const validators = { etag: claim.known?.etag ?? null, lastModified: claim.known?.lastModified ?? null };
  const twin = lore.route === null ? null : markdownTwin(claim.url, lore.route);
  if (twin === null) return stages.fetcher.fetch({ url: claim.url, ...validators }, signal);

  const markdown = await stages.fetcher.fetch({ url: twin, accept: MARKDOWN_ACCEPT, ...validators }, signal);
  if (isUsable(markdown)) return markdown;
  await waitFor(await stages.store.hosts.reserve(hostOf(claim.url)), signal);
  return stages.fetcher.fetch({ url: claim.url, ...validators }, signal);
}

/** A pause is obeyed, and a failure that may pass is tried again, before the page itself is asked. */
function isUsable(outcome: FetchOutcome): boolean {
  switch (outcome.kind) {
    case 'fetched': {
      const { status, mediaType, body } = outcome;
      return markdownProblem({ status, mediaType, body: decodeUtf8(body.subarray(0, 4096)) }) === null;
    }
    case 'unchanged':
    case 'throttled':
      return true;
    case 'failed':
      return outcome.retryable;
    case 'gone':
    case 'redirected':
      return false;
  }
}

function fromLlmsFull(text: string): FetchOutcome {
  const body = new TextEncoder().encode(text);
  return {
    kind: 'fetched',
    headers: {},
    status: 200,
    mediaType: 'text/markdown; charset=utf-8',
    body,
    truncated: false,
    etag: null,
    lastModified: null,
    wireBytes: 0,
    firstByteMs: 0,
    totalMs: 0,
  };
}
