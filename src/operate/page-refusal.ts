// Why a claimed URL is not asked: a trap, robots.txt, or rules that refuse today what they admitted once.

import { robotsAccessVerdict } from '../core/discover/robots/robots-access.ts';
import type { Claim, Outcome } from '../store/port.ts';
import { judge, type Gate } from '../crawl/site/admit-urls.ts';
import type { PageDeps } from './page-deps.ts';
import { reportGuard, reportRobots } from './page-problems.ts';

export async function pageRefusal(
  claim: Claim,
  gate: Gate,
  deps: PageDeps,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const refusal = trapRefusal(claim, gate.rules) ?? (await robotsRefusal(claim, deps, signal));
  return refusal ?? (claim.known === null ? null : outsideRules(claim, gate));
}

/** A page that the rules admitted once and refuse now is not kept. */
function outsideRules(claim: Claim, gate: Gate): Outcome | null {
  const verdict = judge({ href: claim.url, depth: claim.depth }, gate);
  return verdict.admit ? null : { kind: 'skipped', reason: `${verdict.reason}: ${verdict.rule}` };
}

/** What was queued before its folder turned out to be a trap. */
function trapRefusal(claim: Claim, { budget }: Gate['rules']): Outcome | null {
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
