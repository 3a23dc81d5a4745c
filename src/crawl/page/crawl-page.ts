// The path of one URL: fetch, parse, judge. The only file that knows the order of the stages.

import { textFingerprint } from '../../core/analyse/text-fingerprint.ts';
import { looksBinary } from '../../core/extract/looks-binary.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { maxAgeMs } from '../../core/model/max-age.ts';
import { hostOf } from '../../core/model/page-url.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { Claim, Outcome, Settlement, Turn } from '../../store/port.ts';
import type { Admitted, Gate } from '../site/admit-urls.ts';
import { keepKnown } from '../../operate/keep-known.ts';
import { fetchPage, isCovered } from './fetch-page.ts';
import { judgePage, type JudgedPage } from './page-outcome.ts';
import type { Place } from '../context/byte-budget.ts';
import type { PageDeps } from '../../operate/page-deps.ts';
import { retryOrFail } from '../../operate/retry-or-fail.ts';
import type { RunRules } from '../context/run-rules.ts';
import { pageRedirect, settlementOf, type PageContext } from './page-redirect.ts';
import { pageRefusal } from '../../operate/page-refusal.ts';
import { reportGuard, reportNeedsRendering } from '../../operate/page-problems.ts';
import type { TakenTurn } from '../polite/host-rate-limiter.ts';

/** What became of a claim: settled, or handed back because the host wants to be left alone. */
export type PageResult =
  /** `links` are the page's own that were offered with it. */
  | { readonly kind: 'settle'; readonly settlement: Settlement; readonly links?: JudgedPage['links'] }
  | { readonly kind: 'release' };

/** A claim, when this process got it, and how much later it has its last turn in the same row. */
export interface Taken extends Pick<TakenTurn, 'takenAtMs' | 'rowMs'> {
  readonly claim: Claim;
  readonly place: Place;
}

const NO_LINKS: Admitted = { links: [], refused: [] };

export async function crawlPage(
  taken: Taken,
  rules: RunRules,
  deps: PageDeps,
  signal: AbortSignal,
): Promise<PageResult> {
  const { claim, place } = taken;
  if (claim.crashes >= deps.limits.poisonAfterCrashes) return settled(claim, { kind: 'failed', reason: 'poison' });
  if (rules.headers.problem !== null) return settled(claim, { kind: 'failed', reason: rules.headers.problem });
  const lore = await deps.loreOf(claim.run, claim.version);
  const gate: Gate = { rules, robots: deps.robots, route: lore.route };
  const refusal = await pageRefusal(claim, gate, deps, signal);
  if (refusal !== null) return settled(claim, refusal);
  const freshness = freshnessOf(claim, rules);
  if (freshness !== null) return settled(claim, { kind: 'fresh', reason: freshness });
  await place.enter(signal);
  if (!isCovered(claim, lore) && !(await isTurn(taken, deps, signal))) return { kind: 'release' };

  const answer = await fetchPage(claim, { rules, lore, deps, signal });
  return resultOf(claim, answer, { rules, deps, signal, gate, place });
}

/** Why a known page is not asked: it was, not long ago. Null where it is to be asked. */
function freshnessOf({ known }: Claim, { settings: { maxAge }, mode }: RunRules): string | null {
  if (known === null || known.madeBy === '' || mode === 'full') return null;
  if (known.checkedAgoMs >= maxAgeMs(maxAge, known.kind)) return null;
  return `not asked: it was ${Math.round(known.checkedAgoMs / 60_000)} minutes ago`;
}

/** False where the host asked for a pause, or failed, since the claim was taken. */
async function isTurn({ claim, takenAtMs, rowMs }: Taken, deps: PageDeps, signal: AbortSignal): Promise<boolean> {
  const host = hostOf(claim.url);
  const { startsInMs, paceMs } = claim;
  // A claim that was due at once has just come from the store, and so has what it says of the host.
  const mayAsk = async (turn: Turn): Promise<boolean> =>
    (await deps.watch.pausedForMs(host, turn.startsInMs > 0 ? turn.paceMs : 0)) <= 0;
  return deps.turns.wait(host, { startsInMs, paceMs, takenAtMs, rowMs }, mayAsk, signal);
}

async function resultOf(claim: Claim, answer: FetchOutcome, context: PageContext): Promise<PageResult> {
  switch (answer.kind) {
    case 'unchanged':
      return settled(claim, { kind: 'unchanged', etag: answer.etag, lastModified: answer.lastModified });
    case 'gone':
      return settled(claim, { kind: claim.known === null ? 'gone' : 'missing', reason: `status ${answer.status}` });
    case 'throttled':
      return { kind: 'release' };
    case 'failed':
      return failedResult(claim, answer, context);
    case 'redirected': {
      const end = await pageRedirect(claim, answer, context);
      return end.kind === 'own-page' ? parseFetched(claim, end.fetched, context) : end;
    }
    case 'fetched':
      return parseFetched(claim, answer, context);
  }
}

async function failedResult(
  claim: Claim,
  failure: Extract<FetchOutcome, { kind: 'failed' }>,
  { deps }: PageContext,
): Promise<PageResult> {
  if (failure.code === 'fetch.blocked-address') await reportGuard(claim, failure.reason, deps.report);
  return settled(claim, retryOrFail(claim, failure, deps));
}

async function parseFetched(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  context: PageContext,
): Promise<PageResult> {
  const { stages } = context.deps;
  const { mediaType, headers, body, wireBytes } = fetched;
  if (looksBinary(body)) return settled(claim, unread(claim, 'it is no text, whatever its type says'));
  await context.place.take(body.byteLength, context.signal);
  let parsed: ParsedPage;
  try {
    parsed = await stages.parser.parse({ url: claim.url, mediaType, headers, body }, context.signal);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    if (error.code === 'extract.unsupported')
      return settled(claim, unread(claim, String(error.details['mediaType'] ?? '')));
    return settled(
      claim,
      retryOrFail(claim, { code: error.code, reason: error.code, retryable: error.retryable }, context.deps),
    );
  }
  const { settlement, links } = judgePage(claim, fetched, parsed, context);
  const { verdict } = parsed;
  if (verdict.kind === 'not-knowledge' && verdict.because === 'needs-rendering')
    await reportNeedsRendering(claim, context.deps.report);
  context.rules.budget.note(claim.url, textFingerprint(parsed.document));
  const outcome = await keepKnown(claim, settlement.outcome, context);
  return { kind: 'settle', settlement: { ...settlement, outcome, bytes: wireBytes }, links };
}

/** That nothing here reads it is no failure of the site, unless it was read before. */
function unread(claim: Claim, why: string): Outcome {
  return { kind: claim.known === null ? 'skipped' : 'failed', reason: `extract.unsupported: ${why}` };
}

function settled(claim: Claim, outcome: Outcome, admitted: Admitted = NO_LINKS): PageResult {
  return { kind: 'settle', settlement: settlementOf(claim, outcome, admitted) };
}
