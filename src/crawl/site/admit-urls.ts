// Puts found URLs through the rules of a run. What is refused is recorded with its rule.

import type { LinkCandidate } from '../../core/discover/link-candidates.ts';
import { pageOfTwin } from '../../core/discover/markdown/markdown-route.ts';
import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import { parsePageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { admissionVerdict, type AdmissionVerdict } from '../../core/url/admission.ts';
import type { FoundBy, Offer, Refusal } from '../../store/port.ts';
import type { RobotsKeeper } from '../polite/robots-cache.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { TwinRoute } from './site-profile.ts';

export interface Gate {
  readonly rules: RunRules;
  readonly robots: RobotsKeeper;
  readonly route: TwinRoute | null;
}

export interface Admitted {
  readonly links: readonly Offer[];
  readonly refused: readonly Refusal[];
}

export interface FoundUrl {
  readonly href: string;
  readonly depth: number;
  readonly foundBy: FoundBy;
  readonly parent: PageUrl | null;
}

/** Refusals that say nothing about a site: every page links to style sheets, pictures and the like. */
const NOT_RECORDED = new Set(['asset', 'bad-url', 'discovery-file']);

export function admitUrls(found: readonly FoundUrl[], gate: Gate): Admitted {
  const links: Offer[] = [];
  const refused: Refusal[] = [];
  for (const { href, depth, foundBy, parent } of found) {
    const verdict = withinBudget(judge({ href, depth }, gate), gate);
    if (verdict.admit) links.push({ url: verdict.url, depth, foundBy, rank: depth, parent });
    else if (verdict.url !== null && !NOT_RECORDED.has(verdict.reason)) {
      refused.push({ url: verdict.url, depth, foundBy, reason: `${verdict.reason}: ${verdict.rule}`, parent });
    }
  }
  return { links, refused };
}

export function linkUrls(candidates: readonly LinkCandidate[], parent: PageUrl): FoundUrl[] {
  return candidates.map(({ url, depth }) => ({ href: url, depth, foundBy: 'link', parent }));
}

/**
 * A Markdown twin stands for its page. A host whose robots.txt is not known yet is judged again when it is claimed. So is
 * one that the address guard keeps closed: its URLs fail by the guard's rule, which says more than an unread robots.txt.
 */
export function judge(candidate: { href: string; depth: number }, { rules, robots, route }: Gate): AdmissionVerdict {
  const { scope, query, traps } = rules;
  return admissionVerdict(
    { ...candidate, href: route === null ? candidate.href : pageOf(candidate.href, route) },
    {
      scope,
      query,
      traps,
      robots: (url) => {
        const access = robots.known(url);
        if (access === null || ('blockedBy' in access && access.blockedBy !== undefined)) return null;
        const verdict = robotsAccessVerdict(access, url);
        return verdict.allowed ? null : verdict.because;
      },
    },
  );
}

/** Not for what is known: a page is not lost because it was one too many. */
function withinBudget(verdict: AdmissionVerdict, { rules }: Gate): AdmissionVerdict {
  const rule = verdict.admit ? rules.budget.refusal(verdict.url) : null;
  return verdict.admit && rule !== null ? { admit: false, reason: 'trap', rule, url: verdict.url } : verdict;
}

function pageOf(href: string, route: TwinRoute): string {
  const url = href.endsWith('.md') ? parsePageUrl(href) : null;
  return url === null ? href : (pageOfTwin(url, route) ?? href);
}
