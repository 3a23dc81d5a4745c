// What a parsed page is settled as, and which of its links are taken: by its own wishes, by what it is, by what it says.

import { linkCandidates, type LinkCandidate } from '../../core/discover/link-candidates.ts';
import { pageDirectives, type PageDirectives } from '../../core/discover/robots/robots-meta.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { Claim, Settlement } from '../../store/port.ts';
import { admitUrls, linkUrls, type Admitted } from '../site/admit-urls.ts';
import { canonicalOf } from '../../operate/canonical-of.ts';
import { contentOutcome } from '../../operate/content-outcome.ts';
import { movedTo, settlementOf, type PageContext } from './page-redirect.ts';
import type { RunRules } from '../context/run-rules.ts';

type Fetched = Extract<FetchOutcome, { kind: 'fetched' }>;

export interface JudgedPage {
  readonly settlement: Settlement;
  /** Links of the page that are offered with it, as it states them. */
  readonly links: readonly LinkCandidate[];
}

export function judgePage(claim: Claim, fetched: Fetched, parsed: ParsedPage, context: PageContext): JudgedPage {
  const { verdict, facts } = parsed;
  const metas = facts.robotsMeta.map((content) => ({ name: 'robots', content }));
  const directives = pageDirectives([fetched.headers['x-robots-tag'] ?? ''], metas);
  if (directives.index && verdict.kind === 'not-knowledge' && 'to' in verdict)
    return { settlement: movedTo(claim, pageUrl(verdict.to), context), links: [] };
  const links = context.rules.seenLinks.unseen(linksOf(claim, parsed, directives, context.rules));
  const admitted = admitUrls(linkUrls(links, claim.url), context.gate);
  if (!directives.index)
    return { settlement: settlementOf(claim, { kind: 'skipped', reason: 'noindex' }, admitted), links };
  return { settlement: settlementOfContent(claim, fetched, { ...parsed, admitted }, context), links };
}

/** The links that the page and the run allow to be followed. */
function linksOf(
  { url: page, depth }: Claim,
  { document: { links } }: ParsedPage,
  { follow }: PageDirectives,
  { mode, settings }: RunRules,
): readonly LinkCandidate[] {
  if (mode === 'refresh' || !PRESETS[settings.preset].links) return [];
  return linkCandidates({ page, depth, links, follow }).candidates;
}

function settlementOfContent(
  claim: Claim,
  fetched: Fetched,
  parsed: ParsedPage & { readonly admitted: Admitted },
  context: PageContext,
): Settlement {
  const { document, verdict, admitted } = parsed;
  if (verdict.kind === 'not-knowledge')
    return settlementOf(claim, { kind: 'skipped', reason: verdict.because }, admitted);
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
