// Takes into a run what earlier runs left behind. A page that answers 304 is not read again, so its links are known from
// here: every URL that was met before is judged by today's rules and asked again, with its page or without.

import type { KnownUrl, Offer, Refusal, Run, Store } from '../store/port.ts';
import { judge, type Gate } from '../crawl/site/admit-urls.ts';
import { retriedReason } from '../crawl/context/run-rules.ts';

const PIECE = 1000;

export async function seedKnown(run: Run, gate: Gate, store: Store): Promise<void> {
  const only = run.mode === 'retry' ? ({ outcome: 'failed', reason: retriedReason(run) } as const) : undefined;
  let after: string | null = null;
  do {
    const piece = await store.frontier.known(run.id, after, PIECE, only);
    const links: Offer[] = [];
    const refused: Refusal[] = [];
    for (const known of piece.urls) {
      if (run.mode === 'refresh' && !known.hasPage) continue;
      place(known, gate, { links, refused });
    }
    await store.frontier.refuse(run.id, refused);
    await store.frontier.offer(run.id, links);
    after = piece.after;
  } while (after !== null);
}

function place(known: KnownUrl, gate: Gate, to: { links: Offer[]; refused: Refusal[] }): void {
  const { url, depth, foundBy, parent, hasPage } = known;
  const verdict = judge({ href: url, depth }, gate);
  // A page that the source's own rules refuse now is taken up to be removed; a narrower run leaves it alone.
  if (verdict.admit ? verdict.url === url : hasPage && !gate.rules.isNarrowed) {
    to.links.push({ url, depth, foundBy, rank: depth, parent });
  } else if (!verdict.admit && !hasPage) {
    to.refused.push({ url, depth, foundBy, reason: `${verdict.reason}: ${verdict.rule}`, parent });
  }
}
