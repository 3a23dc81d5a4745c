// Decides what a parsed page is settled as, and which of its links are enqueued: by its robots directives, by its
// verdict, by its content.

import { SETTLED_OUTCOMES, storedPages } from '../../core/model/outcome.ts';
import type { Reason } from '../../core/outcome/reasons.table.ts';
import type { ErrorCode } from '../../core/model/errors.ts';
import { type LinkCandidate, linkCandidates, malformedLinks } from '../../core/discover/link-candidates.ts';
import { navigationOf } from '../../core/discover/navigation.ts';
import type { Link } from '../../core/model/document.ts';
import { pageDirectives, type PageDirectives } from '../../core/discover/robots/robots-meta.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import { hashRouteLinks, hashRouteOf } from '../../core/url/hash-route.ts';
import { retryDelay } from '../../core/rate/retry-delay.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlContext } from './crawl-context.ts';
import { movedTo, type PageContext, settlementOf } from './page-redirect.ts';
import { contentHashOf, metadataOf, pipelineVersionOf, responseMetaOf } from './stored-page.ts';
import { admittedCanonical, type AdmittedUrls, admitUrl, admitUrls, linkUrls } from '../site/admit-urls.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { Claim, Outcome, PageContent, Settlement } from '../../store/port/frontier.ts';
import { compressBody } from '../../platform/compress-body.ts';

/** The bytes of a page, from its server or from a browser. */
export type PageBytes = Extract<FetchOutcome, { kind: 'fetched' }> & {
  /** The browser that rendered it. */
  readonly renderedBy?: string;
  /** Links that the renderer found in addition to those in its Markdown. */
  readonly renderedLinks?: readonly string[];
};

export interface PageOutcome {
  readonly settlement: Settlement;
  /** Links of the page that are enqueued with it, as the page states them. */
  readonly links: readonly LinkCandidate[];
}

export function pageOutcome(claim: Claim, fetched: PageBytes, parsed: ParsedPage, context: PageContext): PageOutcome {
  const { verdict, metadata } = parsed;
  const metas = metadata.robotsMeta.map((content) => ({ name: 'robots', content }));
  const directives = pageDirectives([fetched.headers['x-robots-tag'] ?? ''], metas);
  if (directives.index && verdict.kind === 'not-content' && 'to' in verdict)
    return { settlement: movedTo(claim, pageUrl(verdict.to), context), links: [] };
  const isRendered = fetched.renderedBy !== undefined;
  const found = linksOf(claim, { links: allLinks(fetched, parsed), isRendered }, directives, context.rules);
  const links = context.rules.enqueuedLinks.notEnqueued(found);
  const admitted = admitUrls(linkUrls(links, claim.url), context.admission);
  if (!directives.index)
    return { settlement: settlementOf(claim, { kind: 'skipped', reason: 'noindex' }, admitted), links };
  return { settlement: contentSettlement(claim, fetched, { ...parsed, admitted }, context), links };
}

function allLinks({ renderedLinks = [] }: PageBytes, { document }: ParsedPage): readonly Link[] {
  return [...document.links, ...renderedLinks.map((href) => ({ href, text: '', rel: [], inContent: false }))];
}

/** The links that both the page and the run allow to be followed. */
function linksOf(
  { url: page, depth }: Claim,
  { links, isRendered }: { readonly links: readonly Link[]; readonly isRendered: boolean },
  { follow }: PageDirectives,
  { mode, settings, hashRoutes }: RunRules,
): readonly LinkCandidate[] {
  if (mode === 'refresh' || !PRESETS[settings.preset].links) return [];
  const { candidates } = linkCandidates({ page, depth, links, follow });
  if (!isRendered || !follow || !hashRoutes.hasRoutes(page)) return candidates;
  return [...candidates, ...hashRouteLinks({ page, depth }, links)];
}

/** They have no URL that could be in the queue, so an event is all there is of them. */
export async function recordMalformed(
  { run, depth }: Claim,
  { document }: ParsedPage,
  { rules, deps }: PageContext,
): Promise<void> {
  const fresh = rules.newMalformed(malformedLinks(document.links));
  if (fresh.length === 0) return;
  const detailOf = (rawUrl: string) => ({ reason: 'bad-url', rawUrl, depth: depth + 1 });
  const events = fresh.map((rawUrl) => ({ kind: 'drop', url: null, detail: detailOf(rawUrl) }));
  await deps.ports.store.journal.append(run, events);
}

function contentSettlement(
  claim: Claim,
  fetched: PageBytes,
  parsed: ParsedPage & { readonly admitted: AdmittedUrls },
  context: PageContext,
): Settlement {
  const { document, verdict, admitted } = parsed;
  if (verdict.kind === 'not-content') return settlementOf(claim, { kind: 'skipped', reason: verdict.reason }, admitted);
  // What the document of hash routes states about itself is the same on all of them.
  const canonical =
    hashRouteOf(claim.url) === null ? admittedCanonical(claim.url, document.canonical, context.admission) : null;
  return settlementOf(
    claim,
    contentOutcome(claim, fetched, { ...parsed, canonical, menus: menusOf(claim, parsed, context) }),
    canonical === null || canonical === claim.url ? admitted : withCanonical(claim, canonical, admitted, context),
  );
}

/** The canonical page is enqueued too; which of the two is kept is decided at the end of the run. */
function withCanonical(
  claim: Claim,
  canonical: PageUrl,
  admitted: AdmittedUrls,
  { admission }: PageContext,
): AdmittedUrls {
  const found = { href: canonical, depth: claim.depth, foundBy: claim.foundBy, parent: claim.url };
  const more = admitUrls([found], admission);
  return { links: [...more.links, ...admitted.links], excluded: [...more.excluded, ...admitted.excluded] };
}

type Menus = Pick<PageContent, 'navLinks' | 'navigation'>;

const LEADS_TO_OTHERS: ReadonlySet<string> = new Set(['hub', 'index']);

/** Menus are stored for the start page and for pages that lead to others; for other pages only their number. */
function menusOf({ url, depth }: Claim, parsed: ParsedPage, { rules, admission }: PageContext): Menus {
  const { links } = parsed.document;
  const navLinks = links.filter(({ level }) => level !== undefined).length;
  if (url !== rules.startUrl && !LEADS_TO_OTHERS.has(parsed.classification.pageKind)) return { navLinks };
  const admitted = (href: string): PageUrl | null => {
    const verdict = admitUrl({ href, depth: depth + 1 }, admission);
    return verdict.admit && verdict.url !== url ? verdict.url : null;
  };
  return { navLinks, navigation: navigationOf(links, admitted) };
}

/** `unchanged` if the stored text and pipeline version are the same, otherwise the new content. */
function contentOutcome(
  claim: Claim,
  fetched: PageBytes,
  parsed: ParsedPage & { readonly canonical: PageUrl | null; readonly menus: Menus },
): Outcome {
  const { document, canonical, dedupeHash, declaredVersion, menus } = parsed;
  const { navigation } = menus;
  const pipelineVersion = pipelineVersionOf(parsed);
  const { etag, lastModified } = fetched;
  const contentHash = contentHashOf(document.text);
  if (claim.previous?.contentHash === contentHash && claim.previous.pipelineVersion === pipelineVersion)
    return { kind: 'unchanged', etag, lastModified, declaredVersion, ...(navigation !== undefined && { navigation }) };
  return {
    kind: 'indexed',
    page: {
      title: document.title,
      description: document.description,
      language: document.language,
      mediaType: fetched.mediaType ?? 'application/octet-stream',
      etag,
      lastModified,
      contentHash,
      dedupeHash,
      canonical,
      text: document.text,
      outline: document.outline,
      pipelineVersion,
      declaredVersion,
      metadata: {
        ...metadataOf(parsed),
        totalMs: Math.round(fetched.totalMs),
      },
      responseMeta: responseMetaOf(fetched, parsed.body.byteLength),
      ...(fetched.renderedBy === undefined ? {} : { renderedBy: fetched.renderedBy }),
      outlinks: parsed.outlinks,
      ...menus,
      body: compressBody(parsed.body),
    },
    chunks: parsed.chunks,
  };
}

/** Below this share of the stored text, the new text is rejected. */
const MIN_SHARE = 0.1;
/** Short pages may shrink. */
const MIN_STORED_CHARS = 1000;

/**
 * Rejects a response with far less content than the stored page: an error page with status 200, a login, a site under
 * maintenance. It counts as a failure, so the stored page is kept. A full run accepts any new content.
 */
export async function rejectDegradedContent(
  claim: Claim,
  outcome: Outcome,
  { rules, deps }: PageContext,
): Promise<Outcome> {
  if (claim.previous === null || rules.mode === 'full') return outcome;
  if (outcome.kind === 'skipped' && outcome.reason !== 'noindex')
    return { kind: 'failed', reason: `${outcome.reason}: the stored page was kept` as Reason };
  if (outcome.kind !== 'indexed') return outcome;
  const storedChars = (await deps.ports.store.pages.textLength(claim.version, claim.url)) ?? 0;
  if (storedChars < MIN_STORED_CHARS || outcome.page.text.length >= storedChars * MIN_SHARE) return outcome;
  const chars = outcome.page.text.length;
  return { kind: 'failed', reason: `shrunk: ${chars} characters instead of ${storedChars}; a full run accepts it` };
}

export interface PageFailure {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly retryable: boolean;
  /** What the server asks for, with Retry-After. */
  readonly waitMs?: number;
}

/** Decides whether a failed URL is retried. Every request counts as an attempt, throttled or not. */
export function retryOrFail(
  claim: Claim,
  failure: PageFailure,
  { limits, clock }: Pick<CrawlContext, 'limits' | 'clock'>,
): Outcome {
  const reason = failure.reason === '' ? failure.code : (`${failure.code}: ${failure.reason}` as const);
  const { retryable, waitMs = 0 } = failure;
  if (!retryable || claim.attempts >= limits.maxAttempts) return { kind: 'failed', reason };
  const backoffMs = retryDelay(claim.attempts, clock.random(), limits.retryBaseMs);
  return { kind: 'retry', reason, inMs: Math.max(waitMs, backoffMs) };
}

/** Attempts of a URL that hangs, when the run has hardly anything else left: one page of a site must not keep it for minutes. */
const LAST_ATTEMPTS = 3;
const LAST_URLS = 16;

export async function isWaitedFor({ run: id, attempts }: Claim, { ports }: CrawlContext): Promise<boolean> {
  if (attempts < LAST_ATTEMPTS) return false;
  const run = await ports.store.runs.byId(id);
  if (run === null || storedPages(run.counts) === 0) return false;
  const settledUrls = SETTLED_OUTCOMES.reduce((sum, name) => sum + run.counts[name], 0);
  return run.counts.found - settledUrls <= LAST_URLS;
}
