// What a parsed page is settled as, and which of its links are taken: by its own wishes, by what it is, by what it says.

import { linkCandidates } from '../core/discover/links.ts';
import { pageDirectives } from '../core/discover/robots-meta.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import { PRESETS } from '../core/model/source-settings.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import type { ParsedPage } from '../parse/port.ts';
import type { Claim, Settlement } from '../store/port.ts';
import { admitUrls, linkUrls, type Admitted } from './admit-links.ts';
import { canonicalOf } from './canonical-of.ts';
import { contentOutcome } from './content-outcome.ts';
import { movedTo, settlementOf, type PageContext } from './page-redirect.ts';

export function judgePage(
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
