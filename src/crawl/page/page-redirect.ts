// Handles a redirecting page. The target is admitted like any other URL and then claimed on its own, so a redirect
// costs one request. A redirect target that redirects again is followed to its end, so that a cycle or an endless chain
// is detected.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import type { ByteReservation } from '../context/byte-budget.ts';
import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import { redirectVerdict } from '../../core/url/redirect-verdict.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { Claim, Outcome, Settlement } from '../../store/port/frontier.ts';
import { admitUrls, admitUrl, type AdmittedUrls, type AdmissionContext } from '../site/admit-urls.ts';
import { createPoliteFetch, runRequester } from '../politeness/polite-fetch.ts';
import { followRedirects } from '../../fetch/follow-redirects.ts';
import type { CrawlContext } from './crawl-context.ts';
import { reportBlockedAddress } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';

export interface PageContext {
  readonly rules: RunRules;
  readonly deps: CrawlContext;
  readonly signal: AbortSignal;
  readonly admission: AdmissionContext;
  readonly reservation: ByteReservation;
}

type FetchedOutcome = Extract<FetchOutcome, { kind: 'fetched' }>;

export type RedirectResult =
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** It redirected elsewhere and back to its own content, as sites do that set a cookie on the way. */
  | { readonly kind: 'own-page'; readonly fetched: FetchedOutcome };

export async function pageRedirect(
  claim: Claim,
  redirect: Extract<FetchOutcome, { kind: 'redirected' }>,
  context: PageContext,
): Promise<RedirectResult> {
  const { deps, admission } = context;
  const maxRedirects = Math.max(0, deps.limits.maxRedirects - claim.hops);
  const first = redirectVerdict(claim.url, redirect.to, { seen: new Set([claim.url]), maxRedirects });
  if (first.follow && claim.hops === 0 && admittedUrl(first.to, claim, admission, 'another') !== null)
    return settle(movedTo(claim, first.to, context));

  const { url, end } = await followRedirects(claim.url, redirect, {
    request: fetchAs(claim, context),
    maxRedirects,
    hopExclusion: (hop) => hopExclusion(claim, hop, context),
  });
  if (end.kind === 'broken') return settle(failed(claim, `redirect: ${end.verdict.rule}`));
  if (end.kind === 'excluded') return settle(movedTo(claim, url, context));
  const { outcome } = end;
  if (outcome.kind === 'failed' && outcome.code === 'fetch.blocked-address') {
    await reportBlockedAddress({ run: claim.run, url }, outcome.reason, deps.report);
    return settle(failed(claim, `${outcome.code}: ${outcome.reason}`));
  }
  if (outcome.kind === 'fetched' && admittedUrl(url, claim, admission, 'same') !== null)
    return { kind: 'own-page', fetched: outcome };
  return settle(movedTo(claim, url, context));
}

function fetchAs(claim: Claim, { deps, rules, signal }: PageContext): (url: PageUrl) => Promise<FetchOutcome> {
  const politeFetch = createPoliteFetch(deps, runRequester(claim.run, rules, deps), signal);
  return (url) => politeFetch({ url });
}

/** The admitted form of a target, if it is another URL than the claim's, or the same one. */
function admittedUrl(
  to: PageUrl,
  claim: Claim,
  admission: AdmissionContext,
  which: 'another' | 'same',
): PageUrl | null {
  const verdict = admitUrl({ href: to, depth: claim.depth }, admission);
  if (!verdict.admit) return null;
  return (verdict.url === claim.url) === (which === 'same') ? verdict.url : null;
}

/**
 * A hop may leave the scope on its own host, where only the end counts. Other hosts are not requested, because the
 * source does not name them.
 */
async function hopExclusion(
  claim: Claim,
  { from, to }: { readonly from: PageUrl; readonly to: PageUrl },
  { admission, deps, signal }: PageContext,
): Promise<string | null> {
  const verdict = admitUrl({ href: to, depth: claim.depth }, admission);
  if (!verdict.admit && hostOf(to) !== hostOf(from)) return `${verdict.reason}: ${verdict.rule}`;
  const access = await deps.robots.accessFor(to, claim.run, signal);
  // What the guard blocks fails by the guard's own rule when it is fetched.
  if (access.kind === 'disallow-all' && access.blockedBy !== undefined) return null;
  const robots = robotsAccessVerdict(access, to);
  return robots.allowed ? null : `${robots.code}: ${robots.reason}`;
}

/** The claim becomes an alias of `to`, which is enqueued, or excluded with its rule. */
export function movedTo(claim: Claim, to: PageUrl, { admission, deps }: PageContext): Settlement {
  const hops = claim.hops + 1;
  if (hops > deps.limits.maxRedirects)
    return failed(claim, `redirect: more than ${deps.limits.maxRedirects} redirects`);
  const found = { href: to, depth: claim.depth, foundBy: claim.foundBy, parent: claim.url };
  const { links, excluded } = admitUrls([found], admission);
  const [entry] = links;
  const admitted = { links: links.map((link) => ({ ...link, hops })), excluded };
  if (entry?.url === claim.url) return failed(claim, 'redirect: it leads back to itself');
  const target = entry?.url ?? excluded[0]?.url;
  if (target !== undefined) return settlementOf(claim, { kind: 'moved', to: target }, admitted);
  // Exclusions such as images are not recorded, and an alias needs an existing target.
  const verdict = admitUrl(found, admission);
  return settlementOf(claim, {
    kind: 'skipped',
    reason: `redirect: ${verdict.admit ? to : `${verdict.reason}: ${verdict.rule}`}`,
  });
}

function failed(claim: Claim, reason: Reason): Settlement {
  return settlementOf(claim, { kind: 'failed', reason });
}

function settle(settlement: Settlement): RedirectResult {
  return { kind: 'settle', settlement };
}

export function settlementOf(
  claim: Claim,
  outcome: Outcome,
  { links, excluded }: AdmittedUrls = { links: [], excluded: [] },
): Settlement {
  return { claim, outcome, links, excluded, bytes: 0 };
}
