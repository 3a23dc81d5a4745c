// Puts the links of a page through the rules of its run. What is refused is recorded with its rule.

import type { LinkCandidate } from '../core/discover/links.ts';
import { robotsAccessVerdict } from '../core/discover/robots-fetch.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import { admissionVerdict, type AdmissionVerdict } from '../core/url/admission.ts';
import type { FoundBy, Offer, Refusal } from '../store/port.ts';
import type { RobotsKeeper } from './robots-keeper.ts';
import type { RunRules } from './run-rules.ts';

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

/** Refusals that say nothing about a site: every page links to other hosts, style sheets and pictures. */
const NOT_RECORDED = new Set(['asset', 'bad-url', 'discovery-file']);

export function admitUrls(found: readonly FoundUrl[], rules: RunRules, robots: RobotsKeeper): Admitted {
  const links: Offer[] = [];
  const refused: Refusal[] = [];
  for (const { href, depth, foundBy, parent } of found) {
    const verdict = judge({ href, depth }, rules, robots);
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
 * A host whose robots.txt is not known yet is judged again when its URL is claimed. So is one that the address guard
 * keeps closed: its URLs fail by the guard's rule, which says more than a robots.txt that nobody could read.
 */
export function judge(
  candidate: { href: string; depth: number },
  rules: RunRules,
  robots: RobotsKeeper,
): AdmissionVerdict {
  return admissionVerdict(candidate, {
    ...rules,
    robots: (url) => {
      const access = robots.known(url);
      if (access === null || ('blockedBy' in access && access.blockedBy !== undefined)) return null;
      const verdict = robotsAccessVerdict(access, url);
      return verdict.allowed ? null : verdict.because;
    },
  });
}
