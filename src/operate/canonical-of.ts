// The address that a page gives for itself, where the run may take it.

import { canonicalVerdict } from '../core/discover/link-candidates.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import { judge, type Gate } from '../crawl/site/admit-urls.ts';

export function canonicalOf(page: PageUrl, stated: string | null, gate: Gate): PageUrl | null {
  let admitted = page;
  const verdict = canonicalVerdict(page, stated, (url) => {
    const judged = judge({ href: url, depth: 0 }, gate);
    if (judged.admit) admitted = judged.url;
    return judged.admit;
  });
  if (verdict.kind === 'alias') return admitted;
  return verdict.kind === 'own' && stated !== null ? page : null;
}
