// Guards what is known of a page against an answer that says far less: an error page with status 200, a login, a site under
// repair. Such an answer is a failure, so the page stays. A full run takes the new content whatever it is.

import type { Claim, Outcome } from '../store/port.ts';
import type { PageContext } from '../crawl/page/page-redirect.ts';

/** Below this share of the old text the new one is not believed. */
const LEAST_SHARE = 0.1;
/** Short pages may shrink. */
const LONG_ENOUGH = 1000;

export async function keepKnown(claim: Claim, outcome: Outcome, { rules, deps }: PageContext): Promise<Outcome> {
  if (claim.known === null || rules.mode === 'full') return outcome;
  if (outcome.kind === 'skipped' && outcome.reason !== 'noindex')
    return { kind: 'failed', reason: `${outcome.reason}: it was a page before, and is kept` };
  if (outcome.kind !== 'indexed') return outcome;
  const before = await deps.stages.store.pages.get(claim.version, claim.url);
  const lengthBefore = before?.text.length ?? 0;
  if (lengthBefore < LONG_ENOUGH || outcome.page.text.length >= lengthBefore * LEAST_SHARE) return outcome;
  const now = outcome.page.text.length;
  return { kind: 'failed', reason: `shrunk: ${now} characters where ${lengthBefore} were; a full run takes it over` };
}
