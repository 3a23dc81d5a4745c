// The path of one URL: fetch, parse, decide the outcome. The only file that knows the order of the stages.

import { linkedLicenses, withLicenses } from '../../core/discover/licenses.ts';
import { looksBinary, mayBeDocument } from '../../core/extract/decode/media-type.ts';
import { PinakesError } from '../../core/model/errors.ts';
import type { Reason } from '../../core/outcome/reasons.table.ts';
import { hostOf } from '../../core/model/page-url.ts';
import { maxAgeMs } from '../../core/model/setting-formats.ts';
import { textFingerprint } from '../../core/url/crawl-traps.ts';
import { hashRouteOf, withoutHashRoute } from '../../core/url/hash-route.ts';
import type { ByteReservation } from '../context/byte-budget.ts';
import {
  reportBlockedAddress,
  reportedChunkProblem,
  reportLicenseRequired,
  reportNeedsRendering,
} from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlContext } from './crawl-context.ts';
import { fetchOf, fetchPage, isInLlmsFull } from './fetch-page.ts';
import { pageExclusion } from './page-exclusion.ts';
import {
  isWaitedFor,
  type PageBytes,
  pageOutcome,
  type PageOutcome,
  recordMalformed,
  rejectDegradedContent,
  retryOrFail,
} from './page-outcome.ts';
import { movedTo, type PageContext, pageRedirect, settlementOf } from './page-redirect.ts';
import { isHtml, isShell, renderClaim, renderModeOf } from './render-claim.ts';
import { type MayRequest, type ReservedSlot, runJitterMs } from '../politeness/host-rate-limiter.ts';
import type { AdmissionContext, AdmittedUrls } from '../site/admit-urls.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { Claim, Outcome, Settlement } from '../../store/port/frontier.ts';

/** What happened to a claim: settled, or released before its request because the host is paused. */
export type PageResult =
  /** `links` are the page's links that were enqueued with it. */
  | { readonly kind: 'settle'; readonly settlement: Settlement; readonly links?: PageOutcome['links'] }
  | { readonly kind: 'release' };

/** A claim with its request slot: when it was reserved, and how much later the last slot of the same burst starts. */
export interface SlottedClaim extends Pick<ReservedSlot, 'reservedAtMs' | 'burstMs'> {
  readonly claim: Claim;
  readonly reservation: ByteReservation;
}

const NO_URLS: AdmittedUrls = { links: [], excluded: [] };

export async function crawlPage(
  slotted: SlottedClaim,
  rules: RunRules,
  deps: CrawlContext,
  signal: AbortSignal,
): Promise<PageResult> {
  const { claim, reservation } = slotted;
  if (claim.crashes >= deps.limits.quarantineAfterCrashes)
    return settled(claim, { kind: 'failed', reason: 'quarantined' });
  if (rules.headers.problem !== null)
    return settled(claim, { kind: 'failed', reason: `headers: ${rules.headers.problem}` });
  const profile = await deps.loadSiteProfile(claim.run, claim.version);
  const admission: AdmissionContext = { rules, robots: deps.robots, route: profile.route };
  const exclusion = await pageExclusion(claim, admission, deps, signal);
  if (exclusion !== null) return settled(claim, exclusion);
  const freshness = freshReason(claim, rules);
  if (freshness !== null) return settled(claim, { kind: 'fresh', reason: freshness });
  await reservation.reserve(signal);
  if (!isInLlmsFull(claim, profile) && !(await awaitSlot(slotted, rules, deps, signal))) return { kind: 'release' };

  const context: PageContext = { rules, deps, signal, admission, reservation };
  // The server knows nothing of its routes.
  if (hashRouteOf(claim.url) !== null) return renderRoute(claim, context);
  const outcome = await fetchPage(claim, { rules, profile, deps, signal });
  const result = await resultOfFetch(claim, outcome, context);
  if (result.kind === 'release' || isInLlmsFull(claim, profile)) return result;
  return { ...result, settlement: { ...result.settlement, fetch: fetchOf(outcome) } };
}

/** Why a stored page is not fetched: it was fetched recently. Null if it is due. */
function freshReason({ previous }: Claim, { settings: { maxAge, preferCache }, mode }: RunRules): Reason | null {
  if (previous === null || previous.pipelineVersion === '' || mode === 'full') return null;
  if (preferCache) return 'fresh: the run prefers what is stored';
  if (previous.checkedAgoMs >= maxAgeMs(maxAge, previous.pageKind)) return null;
  return `fresh: fetched ${Math.round(previous.checkedAgoMs / 60_000)} minutes ago`;
}

/** False if the host asked for a pause, or failed, since the claim was taken. */
async function awaitSlot(
  { claim, reservedAtMs, burstMs }: SlottedClaim,
  { settings }: RunRules,
  deps: CrawlContext,
  signal: AbortSignal,
): Promise<boolean> {
  const host = hostOf(claim.url);
  const { startsInMs, delayMs, reservedAfterMs } = claim;
  // A claim without a wait comes straight from the store, and so does its host state.
  const mayRequest: MayRequest = async (slot) =>
    (await deps.rateTracker.pausedForMs(host, slot.startsInMs > 0 ? slot.delayMs : 0)) <= 0;
  const jitterMs = runJitterMs(settings, deps.clock.random());
  const slot = { startsInMs, delayMs, reservedAfterMs, reservedAtMs, burstMs, jitterMs };
  return deps.rateLimiter.waitForSlot(host, slot, mayRequest, signal);
}

async function resultOfFetch(claim: Claim, outcome: FetchOutcome, context: PageContext): Promise<PageResult> {
  switch (outcome.kind) {
    case 'unchanged':
      return settled(claim, { kind: 'unchanged', etag: outcome.etag, lastModified: outcome.lastModified });
    case 'not-found':
      return settled(claim, {
        kind: claim.previous === null ? 'not-found' : 'missing',
        reason: `status ${outcome.status}`,
      });
    case 'throttled': {
      const failure = { code: 'fetch.throttled', reason: `status ${outcome.status}`, retryable: true } as const;
      return settled(claim, retryOrFail(claim, { ...failure, waitMs: outcome.retryAfterMs ?? 0 }, context.deps));
    }
    case 'failed':
      return failedResult(claim, outcome, context);
    case 'redirected': {
      const end = await pageRedirect(claim, outcome, context);
      return end.kind === 'own-page' ? parseFetched(claim, end.fetched, context) : end;
    }
    case 'fetched':
      return parseFetched(claim, outcome, context);
  }
}

async function failedResult(
  claim: Claim,
  failure: Extract<FetchOutcome, { kind: 'failed' }>,
  { deps }: PageContext,
): Promise<PageResult> {
  if (failure.code === 'fetch.blocked-address') await reportBlockedAddress(claim, failure.reason, deps.report);
  if (failure.challenge !== undefined) await reportLicenseRequired(claim, failure.challenge.license, deps.report);
  const isLast = failure.code === 'fetch.timeout' && (await isWaitedFor(claim, deps));
  return settled(claim, retryOrFail(claim, { ...failure, retryable: failure.retryable && !isLast }, deps));
}

async function parseFetched(claim: Claim, fetched: PageBytes, context: PageContext): Promise<PageResult> {
  await recordLicenses(claim, fetched, context);
  if (looksBinary(fetched.body) && !mayBeDocument(fetched.body))
    return settled(claim, unsupportedOutcome(claim, 'binary content'));
  await context.reservation.commit(fetched.body.byteLength, context.signal);
  const renderMode = renderModeOf(context.rules, context.deps.ports);
  if (renderMode === 'always' && isHtml(fetched)) return renderFetched(claim, fetched, context);
  const parsed = await parseBytes(claim, fetched, context);
  if ('kind' in parsed) return parsed;
  if (!isShell(parsed, fetched)) return settleParsed(claim, fetched, parsed, context);
  if (renderMode === 'auto') return renderFetched(claim, fetched, context);
  await reportNeedsRendering(claim, null, context.deps.report);
  return settleParsed(claim, fetched, parsed, context);
}

/** Once for each license of a run: all pages of a site name the same one. */
async function recordLicenses(claim: Claim, { headers }: PageBytes, { rules, deps }: PageContext): Promise<void> {
  const found = rules.newLicenses(linkedLicenses(headers['link'], claim.url));
  if (found.length === 0) return;
  await deps.ports.store.sources.changeSiteProfile(claim.version, (profile) => withLicenses(profile, found));
}

async function renderRoute(claim: Claim, context: PageContext): Promise<PageResult> {
  if (!context.rules.hashRoutes.hasRoutes(claim.url)) return sectionOf(claim, context);
  if (renderModeOf(context.rules, context.deps.ports) !== 'never') return renderFetched(claim, null, context);
  await reportNeedsRendering(claim, null, context.deps.report);
  const outcome: Outcome = { kind: 'skipped', reason: 'needs-rendering' };
  return settled(claim, await rejectDegradedContent(claim, outcome, context));
}

/** What looks like a route of the document is a part of its one page. */
function sectionOf(claim: Claim, context: PageContext): PageResult {
  return { kind: 'settle', settlement: movedTo(claim, withoutHashRoute(claim.url), context) };
}

async function renderFetched(claim: Claim, fetched: PageBytes | null, context: PageContext): Promise<PageResult> {
  const { hashRoutes } = context.rules;
  const rendered = await renderClaim(claim, fetched, context);
  if (rendered.kind === 'settle') {
    const outcome = await rejectDegradedContent(claim, rendered.settlement.outcome, context);
    return { kind: 'settle', settlement: { ...rendered.settlement, outcome } };
  }
  await context.reservation.commit(rendered.page.body.byteLength, context.signal);
  const parsed = await parseBytes(claim, rendered.page, context);
  if ('kind' in parsed) return parsed;
  if (isShell(parsed, rendered.page)) {
    await reportNeedsRendering(claim, 'the page is still empty when its scripts have run', context.deps.report);
    const outcome: Outcome = { kind: 'skipped', reason: 'needs-rendering: still empty in a browser' };
    return settled(claim, await rejectDegradedContent(claim, outcome, context));
  }
  if (hashRouteOf(claim.url) === null) hashRoutes.record(claim.url, parsed.document.text);
  else if (await isSection(claim, parsed.document.text, context)) return sectionOf(claim, context);
  return settleParsed(claim, rendered.page, parsed, context);
}

/** Another process may have rendered the document of the route: what it stored decides, so that all of them agree. */
async function isSection(
  { version, url }: Claim,
  text: string,
  { rules: { hashRoutes }, deps }: PageContext,
): Promise<boolean> {
  const document = withoutHashRoute(url);
  const stored = hashRoutes.knowsDocumentOf(url) ? null : await deps.ports.store.pages.text(version, document);
  if (stored !== null) hashRoutes.record(document, stored);
  return hashRoutes.isSection(url, text);
}

async function parseBytes(claim: Claim, page: PageBytes, context: PageContext): Promise<ParsedPage | PageResult> {
  const { mediaType, headers, body } = page;
  try {
    return await context.deps.ports.parser.parse({ url: claim.url, mediaType, headers, body }, context.signal);
  } catch (error) {
    // A worker that is stopped has not failed to parse the page.
    if (context.signal.aborted || !(error instanceof PinakesError)) throw error;
    if (error.code === 'extract.unsupported')
      return settled(claim, unsupportedOutcome(claim, String(error.details['mediaType'] ?? '')));
    return settled(
      claim,
      retryOrFail(claim, { code: error.code, reason: error.message, retryable: error.retryable }, context.deps),
    );
  }
}

async function settleParsed(
  claim: Claim,
  page: PageBytes,
  parsed: ParsedPage,
  context: PageContext,
): Promise<PageResult> {
  const { settlement, links } = pageOutcome(claim, page, parsed, context);
  context.rules.trapBudget.record(claim.url, textFingerprint(parsed.document));
  await recordMalformed(claim, parsed, context);
  const outcome = await rejectDegradedContent(claim, settlement.outcome, context);
  if (outcome.kind === 'indexed') {
    for (const warning of parsed.chunkWarnings) {
      const problem = reportedChunkProblem(claim, warning);
      if (problem !== null) await context.deps.report(problem);
    }
  }
  return { kind: 'settle', settlement: { ...settlement, outcome, bytes: page.wireBytes }, links };
}

/** A page of an unsupported type is not a failure of the site, unless it was stored before. */
function unsupportedOutcome(claim: Claim, why: string): Outcome {
  return { kind: claim.previous === null ? 'skipped' : 'failed', reason: `extract.unsupported: ${why}` };
}

function settled(claim: Claim, outcome: Outcome, admitted: AdmittedUrls = NO_URLS): PageResult {
  return { kind: 'settle', settlement: settlementOf(claim, outcome, admitted) };
}
