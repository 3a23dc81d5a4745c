// What becomes of a page that leads elsewhere. The target is judged as any other URL, then has a claim of its own, so a
// redirect costs one request. A URL to which a redirect led and which redirects again is followed to its end, so that a
// circle or an endless chain is found.

import type { Place } from '../context/byte-budget.ts';
import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import { redirectVerdict } from '../../core/url/redirect-verdict.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { Claim, Outcome, Settlement } from '../../store/port.ts';
import { admitUrls, judge, type Admitted, type Gate } from '../site/admit-urls.ts';
import { createAskHost } from '../polite/polite-fetch.ts';
import { followRedirects } from '../polite/follow-redirects.ts';
import type { PageDeps } from '../../operate/page-deps.ts';
import { reportGuard } from '../../operate/page-problems.ts';
import type { RunRules } from '../context/run-rules.ts';

export interface PageContext {
  readonly rules: RunRules;
  readonly deps: PageDeps;
  readonly signal: AbortSignal;
  readonly gate: Gate;
  readonly place: Place;
}

type Fetched = Extract<FetchOutcome, { kind: 'fetched' }>;

export type RedirectResult =
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** It went away and came back with its text, as where a cookie is set on the way. */
  | { readonly kind: 'own-page'; readonly fetched: Fetched };

export async function pageRedirect(
  claim: Claim,
  answer: Extract<FetchOutcome, { kind: 'redirected' }>,
  context: PageContext,
): Promise<RedirectResult> {
  const { deps, gate } = context;
  const maxRedirects = Math.max(0, deps.limits.maxRedirects - claim.hops);
  const first = redirectVerdict(claim.url, answer.to, { seen: new Set([claim.url]), maxRedirects });
  if (first.follow && claim.hops === 0 && admittedUrl(first.to, claim, gate, 'another') !== null)
    return settle(movedTo(claim, first.to, context));

  const { url, end } = await followRedirects(claim.url, answer, {
    ask: askAs(claim, context),
    maxRedirects,
    refuses: (hop) => hopRefusal(claim, hop, context),
  });
  if (end.kind === 'broken') return settle(failed(claim, `redirect: ${end.verdict.rule}`));
  if (end.kind === 'refused') return settle(movedTo(claim, url, context));
  const { outcome } = end;
  if (outcome.kind === 'failed' && outcome.code === 'fetch.blocked-address') {
    await reportGuard({ run: claim.run, url }, outcome.reason, deps.report);
    return settle(failed(claim, `${outcome.code}: ${outcome.reason}`));
  }
  if (outcome.kind === 'fetched' && admittedUrl(url, claim, gate, 'same') !== null)
    return { kind: 'own-page', fetched: outcome };
  return settle(movedTo(claim, url, context));
}

function askAs(claim: Claim, { deps, rules, signal }: PageContext): (url: PageUrl) => Promise<FetchOutcome> {
  const ask = createAskHost(deps, { run: claim.run, headersFor: rules.headers.headersFor }, signal);
  return (url) => ask({ url });
}

/** The admitted form of a target, where it is another URL than the claim's, or the same one. */
function admittedUrl(to: PageUrl, claim: Claim, gate: Gate, wanted: 'another' | 'same'): PageUrl | null {
  const verdict = judge({ href: to, depth: claim.depth }, gate);
  if (!verdict.admit) return null;
  return (verdict.url === claim.url) === (wanted === 'same') ? verdict.url : null;
}

/** A hop may leave the scope on its own host, where the end counts. Other hosts are not asked: nobody named them. */
async function hopRefusal(
  claim: Claim,
  { from, to }: { readonly from: PageUrl; readonly to: PageUrl },
  { gate, deps, signal }: PageContext,
): Promise<string | null> {
  const verdict = judge({ href: to, depth: claim.depth }, gate);
  if (!verdict.admit && hostOf(to) !== hostOf(from)) return `${verdict.reason}: ${verdict.rule}`;
  const access = await deps.robots.accessFor(to, claim.run, signal);
  // What the guard keeps closed fails by its own rule when it is asked.
  if (access.kind === 'disallow-all' && access.blockedBy !== undefined) return null;
  const robots = robotsAccessVerdict(access, to);
  return robots.allowed ? null : `robots-disallow: ${robots.because}`;
}

/** The claim is an alias of `to`, which is offered, or refused with its rule. */
export function movedTo(claim: Claim, to: PageUrl, { gate, deps }: PageContext): Settlement {
  const hops = claim.hops + 1;
  if (hops > deps.limits.maxRedirects)
    return failed(claim, `redirect: more than ${deps.limits.maxRedirects} redirects`);
  const found = { href: to, depth: claim.depth, foundBy: claim.foundBy, parent: claim.url };
  const { links, refused } = admitUrls([found], gate);
  const [offer] = links;
  const admitted = { links: links.map((link) => ({ ...link, hops })), refused };
  if (offer?.url === claim.url) return failed(claim, 'redirect: it leads back to itself');
  const target = offer?.url ?? refused[0]?.url;
  if (target !== undefined) return settlementOf(claim, { kind: 'moved', to: target }, admitted);
  // Refusals such as that of a picture are not recorded, and an alias must lead to something.
  const verdict = judge(found, gate);
  return settlementOf(claim, {
    kind: 'skipped',
    reason: `redirect: ${verdict.admit ? to : `${verdict.reason}: ${verdict.rule}`}`,
  });
}

function failed(claim: Claim, reason: string): Settlement {
  return settlementOf(claim, { kind: 'failed', reason });
}

function settle(settlement: Settlement): RedirectResult {
  return { kind: 'settle', settlement };
}

export function settlementOf(
  claim: Claim,
  outcome: Outcome,
  { links, refused }: Admitted = { links: [], refused: [] },
): Settlement {
  return { claim, outcome, links, refused, bytes: 0 };
}
