// The path of one URL: fetch, parse, judge. The only file that knows the order of the stages.

import { textFingerprint } from '../core/analyse/text-fingerprint.ts';
import { linkCandidates } from '../core/discover/links.ts';
import { robotsAccessVerdict } from '../core/discover/robots-fetch.ts';
import { pageDirectives } from '../core/discover/robots-meta.ts';
import { looksBinary } from '../core/extract/looks-binary.ts';
import { PinakesError } from '../core/model/errors.ts';
import { hostOf, pageUrl, type PageUrl } from '../core/model/page-url.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import type { ParsedPage } from '../parse/port.ts';
import type { Claim, Outcome, Settlement, Turn } from '../store/port.ts';
import { PRESETS } from '../core/model/source-settings.ts';
import { admitUrls, judge, linkUrls, type Admitted, type Gate } from './admit-links.ts';
import { canonicalOf } from './canonical-of.ts';
import { contentOutcome } from './content-outcome.ts';
import { keepKnown } from './keep-known.ts';
import { fetchPage, isCovered } from './fetch-page.ts';
import type { PageDeps } from './page-deps.ts';
import { retryOrFail } from './retry-or-fail.ts';
import type { RunRules } from './run-rules.ts';
import { movedTo, pageRedirect, settlementOf, type PageContext } from './page-redirect.ts';
import { reportGuard, reportNeedsRendering, reportRobots } from './page-problems.ts';
import { waitForTurn } from './turns.ts';

/** What became of a claim: settled, or handed back because the host wants to be left alone. */
export type PageResult = { readonly kind: 'settle'; readonly settlement: Settlement } | { readonly kind: 'release' };

/** A claim, and when this process got it. */
export interface Taken {
  readonly claim: Claim;
  readonly takenAtMs: number;
}

const NO_LINKS: Admitted = { links: [], refused: [] };

export async function crawlPage(
  { claim, takenAtMs }: Taken,
  rules: RunRules,
  deps: PageDeps,
  signal: AbortSignal,
): Promise<PageResult> {
  if (claim.crashes >= deps.limits.poisonAfterCrashes) return settled(claim, { kind: 'failed', reason: 'poison' });
  if (rules.headers.problem !== null) return settled(claim, { kind: 'failed', reason: rules.headers.problem });
  const refusal = trapRefusal(claim, rules) ?? (await robotsRefusal(claim, deps, signal));
  if (refusal !== null) return settled(claim, refusal);
  const lore = await deps.loreOf(claim.run, claim.version);
  const gate: Gate = { rules, robots: deps.robots, route: lore.route };
  const outside = claim.known === null ? null : outsideRules(claim, gate);
  if (outside !== null) return settled(claim, outside);
  if (!isCovered(claim, lore) && !(await isTurn({ claim, takenAtMs }, deps, signal))) return { kind: 'release' };

  const answer = await fetchPage(claim, { rules, lore, deps, signal });
  return resultOf(claim, answer, { rules, deps, signal, gate });
}

/** A page that the rules admitted once and refuse now is not kept. */
function outsideRules(claim: Claim, gate: Gate): Outcome | null {
  const verdict = judge({ href: claim.url, depth: claim.depth }, gate);
  return verdict.admit ? null : { kind: 'skipped', reason: `${verdict.reason}: ${verdict.rule}` };
}

/** False where the host asked for a pause, or failed, since the claim was taken. */
async function isTurn({ claim, takenAtMs }: Taken, deps: PageDeps, signal: AbortSignal): Promise<boolean> {
  const { stages, watch, clock } = deps;
  const host = hostOf(claim.url);
  const { startsInMs, paceMs } = claim;
  // A claim that was due at once has just come from the store, and so has what it says of the host.
  const mayAsk = async (turn: Turn): Promise<boolean> =>
    (await watch.pausedForMs(host, turn.startsInMs > 0 ? turn.paceMs : 0)) <= 0;
  const turnDeps = { hosts: stages.store.hosts, clock, mayAsk };
  return waitForTurn(host, { startsInMs, paceMs, takenAtMs }, turnDeps, signal);
}

async function resultOf(claim: Claim, answer: FetchOutcome, context: PageContext): Promise<PageResult> {
  switch (answer.kind) {
    case 'unchanged':
      return settled(claim, { kind: 'unchanged', etag: answer.etag, lastModified: answer.lastModified });
    case 'gone':
      return settled(claim, { kind: claim.known === null ? 'gone' : 'missing', reason: `status ${answer.status}` });
    case 'throttled':
      return { kind: 'release' };
    case 'failed':
      return failedResult(claim, answer, context);
    case 'redirected': {
      const end = await pageRedirect(claim, answer, context);
      return end.kind === 'own-page' ? parseFetched(claim, end.fetched, context) : end;
    }
    case 'fetched':
      return parseFetched(claim, answer, context);
  }
}

async function failedResult(
  claim: Claim,
  failure: Extract<FetchOutcome, { kind: 'failed' }>,
  { deps }: PageContext,
): Promise<PageResult> {
  if (failure.code === 'fetch.blocked-address') await reportGuard(claim, failure.reason, deps.report);
  return settled(claim, retryOrFail(claim, failure, deps));
}

async function parseFetched(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  context: PageContext,
): Promise<PageResult> {
  const { stages } = context.deps;
  const { mediaType, headers, body, wireBytes } = fetched;
  if (looksBinary(body)) return settled(claim, unread(claim, 'it is no text, whatever its type says'));
  let parsed: ParsedPage;
  try {
    parsed = await stages.parser.parse({ url: claim.url, mediaType, headers, body }, context.signal);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    if (error.code === 'extract.unsupported')
      return settled(claim, unread(claim, String(error.details['mediaType'] ?? '')));
    return settled(
      claim,
      retryOrFail(claim, { code: error.code, reason: error.code, retryable: error.retryable }, context.deps),
    );
  }
  const result = judged(claim, fetched, parsed, context);
  const { verdict } = parsed;
  if (verdict.kind === 'not-knowledge' && verdict.because === 'needs-rendering')
    await reportNeedsRendering(claim, context.deps.report);
  context.rules.budget.note(claim.url, textFingerprint(parsed.document));
  const outcome = await keepKnown(claim, result.outcome, context);
  return { kind: 'settle', settlement: { ...result, outcome, bytes: wireBytes } };
}

/** That nothing here reads it is no failure of the site, unless it was read before. */
function unread(claim: Claim, why: string): Outcome {
  return { kind: claim.known === null ? 'skipped' : 'failed', reason: `extract.unsupported: ${why}` };
}

function judged(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  parsed: ParsedPage,
  context: PageContext,
): Settlement {
  const { document, facts, verdict } = parsed;
  const directives = pageDirectives(
    [fetched.headers['x-robots-tag'] ?? ''],
    facts.robotsMeta.map((content) => ({ name: 'robots', content })),
  );
  const { candidates } = linkCandidates({
    page: claim.url,
    depth: claim.depth,
    links: document.links,
    follow: directives.follow,
  });
  const follows = context.rules.mode !== 'refresh' && PRESETS[context.rules.settings.preset].links;
  const admitted = admitUrls(follows ? linkUrls(candidates, claim.url) : [], context.gate);
  if (!directives.index) return settlementOf(claim, { kind: 'skipped', reason: 'noindex' }, admitted);
  if (verdict.kind === 'not-knowledge') {
    if ('to' in verdict) return movedTo(claim, pageUrl(verdict.to), context);
    return settlementOf(claim, { kind: 'skipped', reason: verdict.because }, admitted);
  }
  const canonical = canonicalOf(claim.url, document.canonical, context.gate);
  return settlementOf(
    claim,
    contentOutcome(claim, fetched, { ...parsed, canonical }),
    canonical === null || canonical === claim.url ? admitted : withCanonical(claim, canonical, admitted, context),
  );
}

/** The page that stands for this one is asked too; which of them stay is seen at the end of the run. */
function withCanonical(claim: Claim, canonical: PageUrl, admitted: Admitted, { gate }: PageContext): Admitted {
  const found = { href: canonical, depth: claim.depth, foundBy: claim.foundBy, parent: claim.url };
  const more = admitUrls([found], gate);
  return { links: [...more.links, ...admitted.links], refused: [...more.refused, ...admitted.refused] };
}

/** What was queued before its folder turned out to be a trap. */
function trapRefusal(claim: Claim, { budget }: RunRules): Outcome | null {
  const rule = claim.known === null ? budget.refusal(claim.url) : null;
  return rule === null ? null : { kind: 'skipped', reason: `trap: ${rule}` };
}

/**
 * A robots.txt that cannot be read closes the site for now. That is a failure and no wish of the site, so what is known of
 * the page stays.
 */
async function robotsRefusal(
  { url, run }: Claim,
  { robots, report }: PageDeps,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const access = await robots.accessFor(url, run, signal);
  if (access.kind === 'disallow-all' && new URL(url).pathname !== '/robots.txt') {
    if (access.blockedBy !== undefined) {
      await reportGuard({ run, url }, access.blockedBy, report);
      return { kind: 'failed', reason: `fetch.blocked-address: ${access.blockedBy}` };
    }
    await reportRobots({ run, url }, access.because, report);
    return { kind: 'failed', reason: `robots-unreachable: ${access.because}` };
  }
  const verdict = robotsAccessVerdict(access, url);
  return verdict.allowed ? null : { kind: 'skipped', reason: `robots-disallow: ${verdict.because}` };
}

function settled(claim: Claim, outcome: Outcome, admitted: Admitted = NO_LINKS): PageResult {
  return { kind: 'settle', settlement: settlementOf(claim, outcome, admitted) };
}
