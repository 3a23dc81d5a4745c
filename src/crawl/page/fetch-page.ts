// Gets the content of a page: from llms-full.txt where that holds it, from its Markdown twin where the host has them, else
// from the page itself.

import { hash } from 'node:crypto';
import { markdownProblem, markdownTwin, otherTwin } from '../../core/discover/markdown/markdown-route.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import type { FetchOutcome, FetchRequest } from '../../fetch/port.ts';
import type { Claim } from '../../store/port.ts';
import { createAskHost, type AskHost } from '../polite/polite-fetch.ts';
import { MARKDOWN_ACCEPT } from '../seed/choose-route.ts';
import type { PageDeps } from '../../operate/page-deps.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { VersionLore } from '../site/site-profile.ts';

export interface FetchContext {
  readonly rules: RunRules;
  readonly lore: VersionLore;
  readonly deps: PageDeps;
  readonly signal: AbortSignal;
}

/** True where the page's text is at hand, so that nobody has to be asked. */
export function isCovered(claim: Claim, lore: VersionLore): boolean {
  return lore.pages.has(claim.url);
}

/** Its turn must have come. */
export async function fetchPage(claim: Claim, context: FetchContext): Promise<FetchOutcome> {
  const { rules, lore } = context;
  const validators = validatorsOf(claim, rules);
  const covered = lore.pages.get(claim.url);
  if (covered !== undefined) return fromLlmsFull(covered, validators.etag);
  const outcome = await askPage(claim, validators, context);
  // Some servers look only for the Markdown of a page that they have as HTML.
  if (outcome.kind !== 'gone' || !lore.negotiates) return outcome;
  return askLater(claim, context)({ url: claim.url, accept: HTML_ACCEPT, ...validators });
}

/** What is to be made again is read again, whatever the site says of it. */
function validatorsOf(claim: Claim, rules: RunRules): { etag: string | null; lastModified: string | null } {
  const known = rules.trustsValidators && claim.known?.madeBy !== '' ? claim.known : null;
  return { etag: known?.etag ?? null, lastModified: known?.lastModified ?? null };
}

const HTML_ACCEPT = 'text/html, */*;q=0.5';

async function askPage(
  claim: Claim,
  validators: Pick<FetchRequest, 'etag' | 'lastModified'>,
  context: FetchContext,
): Promise<FetchOutcome> {
  const { rules, lore, deps, signal } = context;
  const askNow = async (request: FetchRequest): Promise<FetchOutcome> => {
    const headers = rules.headers.headersFor(request.url);
    const outcome = await deps.stages.fetcher.fetch({ ...request, headers }, signal);
    await deps.watch.observe({ run: claim.run, url: request.url }, outcome);
    return outcome;
  };
  const twin = lore.route === null ? null : markdownTwin(claim.url, lore.route);
  if (twin === null) return askNow({ url: claim.url, ...validators });
  const markdown = await askNow({ url: twin, accept: MARKDOWN_ACCEPT, ...validators });
  if (isUsable(markdown)) return markdown;
  const other = lore.route === null || !lore.filesAreHtml ? null : otherTwin(claim.url, lore.route);
  const second =
    other === null ? null : await askLater(claim, context)({ url: other, accept: MARKDOWN_ACCEPT, ...validators });
  return second !== null && isUsable(second) ? second : askLater(claim, context)({ url: claim.url, ...validators });
}

/** The claim's turn is taken; whatever else is asked has a turn of its own. */
function askLater(claim: Claim, { rules, deps, signal }: FetchContext): AskHost {
  return createAskHost(deps, { run: claim.run, headersFor: rules.headers.headersFor }, signal);
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

/** The text itself is the validator: what is known of it needs no second reading. */
function fromLlmsFull(text: string, known: string | null): FetchOutcome {
  const etag = `llms-full ${hash('sha256', text)}`;
  if (etag === known) return { kind: 'unchanged', etag, lastModified: null, firstByteMs: 0 };
  const body = new TextEncoder().encode(text);
  return {
    kind: 'fetched',
    headers: {},
    status: 200,
    mediaType: 'text/markdown; charset=utf-8',
    body,
    truncated: false,
    etag,
    lastModified: null,
    wireBytes: 0,
    firstByteMs: 0,
    totalMs: 0,
  };
}
