// Why a claimed URL is not fetched: a trap, robots.txt or its terms of use, or rules that changed since it was admitted.

import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import type { Claim, Outcome } from '../../store/port/frontier.ts';
import { reportBlockedAddress, reportRobotsUnreachable, reportUsageTerms } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import { type AdmissionContext, admitUrl } from '../site/admit-urls.ts';
import { termsExclusion } from '../site/terms-exclusion.ts';
import type { CrawlContext } from './crawl-context.ts';

/** Null if it is fetched. */
export async function pageExclusion(
  claim: Claim,
  admission: AdmissionContext,
  deps: CrawlContext,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const exclusion =
    trapExclusion(claim, admission.rules) ?? (await robotsExclusion(claim, admission.rules, deps, signal));
  return exclusion ?? (claim.previous === null ? null : ruleExclusion(claim, admission));
}

/** A stored page that the current rules exclude is removed. */
function ruleExclusion(claim: Claim, admission: AdmissionContext): Outcome | null {
  const verdict = admitUrl({ href: claim.url, depth: claim.depth }, admission);
  return verdict.admit ? null : { kind: 'excluded', reason: `${verdict.reason}: ${verdict.rule}` };
}

/** URLs that were queued before their folder turned out to be a trap. */
function trapExclusion(claim: Claim, { trapBudget }: AdmissionContext['rules']): Outcome | null {
  const rule = claim.previous === null ? trapBudget.exclusion(claim.url) : null;
  return rule === null ? null : { kind: 'excluded', reason: `trap: ${rule}` };
}

/**
 * An unreadable robots.txt closes the site for now. That is a failure, not a rule of the site, so the stored page is
 * kept.
 */
async function robotsExclusion(
  { url, run }: Claim,
  { settings }: RunRules,
  { robots, report }: CrawlContext,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const access = await robots.accessFor(url, run, signal);
  if (access.kind === 'disallow-all' && new URL(url).pathname !== '/robots.txt') {
    if (access.blockedBy !== undefined) {
      await reportBlockedAddress({ run, url }, access.blockedBy, report);
      return { kind: 'failed', reason: `fetch.blocked-address: ${access.blockedBy}` };
    }
    await reportRobotsUnreachable({ run, url }, access.reason, report);
    return { kind: 'failed', reason: `robots-unreachable: ${access.reason}` };
  }
  const verdict = robotsAccessVerdict(access, url);
  if (!verdict.allowed) return { kind: 'excluded', reason: `${verdict.code}: ${verdict.reason}` };
  const terms = termsExclusion(access, url, settings);
  if (terms === null) return null;
  await reportUsageTerms({ run, url }, terms.rule, report);
  return { kind: 'excluded', reason: `${terms.reason}: ${terms.rule}` };
}
