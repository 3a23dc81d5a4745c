// Applies the rules of a run to discovered URLs. An excluded URL is recorded with its rule.

import { canonicalVerdict, type LinkCandidate } from '../../core/discover/link-candidates.ts';
import { pageOfVariant } from '../../core/discover/markdown/markdown-route.ts';
import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import { type PageUrl, parsePageUrl } from '../../core/model/page-url.ts';
import { hashRouteOf, withHashRoute } from '../../core/url/hash-route.ts';
import { admissionVerdict, type AdmissionVerdict } from '../../core/url/admission.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { RobotsCache } from '../politeness/robots-cache.ts';
import type { VariantRoute } from './site-profile.ts';
import { termsExclusion } from './terms-exclusion.ts';
import type { Exclusion, DiscoveryKind, FrontierEntry } from '../../store/port/frontier.ts';

export interface AdmissionContext {
  readonly rules: RunRules;
  readonly robots: RobotsCache;
  readonly route: VariantRoute | null;
}

export interface AdmittedUrls {
  readonly links: readonly FrontierEntry[];
  readonly excluded: readonly Exclusion[];
}

export interface FoundUrl {
  readonly href: string;
  readonly depth: number;
  readonly foundBy: DiscoveryKind;
  readonly parent: PageUrl | null;
  /** Fetched before the others of its depth. */
  readonly isFirst?: boolean;
}

/** Exclusions that say nothing about a site: every page links to style sheets, images and the like. */
const UNRECORDED_REASONS = new Set(['asset', 'bad-url', 'discovery-file']);

export function admitUrls(found: readonly FoundUrl[], context: AdmissionContext): AdmittedUrls {
  const links: FrontierEntry[] = [];
  const excluded: Exclusion[] = [];
  for (const { href, depth, foundBy, parent, isFirst = false } of found) {
    const verdict = withinTrapBudget(admitUrl({ href, depth }, context), context);
    const priority = isFirst ? depth - 1 : depth;
    if (verdict.admit) links.push({ url: verdict.url, depth, foundBy, priority, parent, rawUrl: verdict.rawUrl });
    else if (verdict.url !== null && !UNRECORDED_REASONS.has(verdict.reason)) {
      excluded.push({ url: verdict.url, depth, foundBy, reason: `${verdict.reason}: ${verdict.rule}`, parent });
    }
  }
  return { links, excluded };
}

export function linkUrls(candidates: readonly LinkCandidate[], parent: PageUrl): FoundUrl[] {
  return candidates.map(({ url, depth }) => ({ href: url, depth, foundBy: 'link', parent }));
}

/**
 * A Markdown variant is admitted as its page. A URL of a host whose robots.txt is not loaded yet is checked again when
 * it is claimed. So is one that the address guard blocks: it fails by the guard's rule, which says more than an unread
 * robots.txt. A hash route, which only a rendered page or an earlier run can have found, is kept.
 */
export function admitUrl(
  candidate: { href: string; depth: number },
  { rules, robots, route }: AdmissionContext,
): AdmissionVerdict {
  const { urlFilter, query, traps } = rules;
  const verdict = admissionVerdict(
    { ...candidate, href: route === null ? candidate.href : pageUrlOf(candidate.href, route) },
    {
      urlFilter,
      query,
      traps,
      robots: (url) => {
        const access = robots.cached(url);
        if (access === null || ('blockedBy' in access && access.blockedBy !== undefined)) return null;
        const permission = robotsAccessVerdict(access, url);
        if (!permission.allowed) return { reason: permission.code, rule: permission.reason };
        return termsExclusion(access, url, rules.settings);
      },
    },
  );
  return verdict.url === null ? verdict : { ...verdict, url: withHashRoute(verdict.url, hashRouteOf(candidate.href)) };
}

/** Only for new URLs: a stored page is not lost because it was one too many. */
function withinTrapBudget(verdict: AdmissionVerdict, { rules }: AdmissionContext): AdmissionVerdict {
  const rule = verdict.admit ? rules.trapBudget.exclusion(verdict.url) : null;
  return verdict.admit && rule !== null ? { admit: false, reason: 'trap', rule, url: verdict.url } : verdict;
}

function pageUrlOf(href: string, route: VariantRoute): string {
  const url = href.endsWith('.md') ? parsePageUrl(href) : null;
  return url === null ? href : (pageOfVariant(url, route) ?? href);
}

/** The canonical URL that a page states, if the rules of the run admit it. */
export function admittedCanonical(page: PageUrl, stated: string | null, context: AdmissionContext): PageUrl | null {
  let admitted = page;
  const verdict = canonicalVerdict(page, stated, (url) => {
    const admission = admitUrl({ href: url, depth: 0 }, context);
    if (admission.admit) admitted = admission.url;
    return admission.admit;
  });
  if (verdict.kind === 'alias') return admitted;
  return verdict.kind === 'own' && stated !== null ? page : null;
}
