// How a drained run ends, and the sentence that says why. Whoever finds little in the library reads that sentence first.

import { errorCatalogue } from '../core/model/errors.ts';
import type { OutcomeName } from '../core/model/outcome.ts';
import type { EndedRunState } from '../core/model/run.ts';
import type { OutcomeReason, Run } from '../store/port.ts';

export interface RunEnd {
  readonly state: EndedRunState;
  readonly reason: string | null;
}

/** The most frequent reason of an outcome; null where the run has none. */
export type Commonest = (outcome: OutcomeName) => Promise<OutcomeReason | null>;

/** A run that stored what it accepted, or left it out properly, is completed; one that stored nothing never is. */
export async function runEnd(
  run: Pick<Run, 'state' | 'counts' | 'mode'>,
  commonest: Commonest,
  isLocal: boolean,
): Promise<RunEnd> {
  const { found, failed, skipped, missing } = run.counts;
  const stored = run.counts.new + run.counts.changed + run.counts.unchanged;
  if (run.state === 'stopping') return { state: 'stopped', reason: 'on request' };
  if (found === 0 && run.mode === 'retry') return { state: 'completed', reason: 'nothing is left to be tried again' };
  if (found === 0) return { state: 'failed', reason: `the start was refused${told(await commonest('refused'), 1)}` };
  if (failed > 0) {
    const some = `${failed} of ${found === 1 ? '1 URL' : `${found} URLs`} failed`;
    return {
      state: stored + missing === 0 ? 'failed' : 'partial',
      reason: some + told(await commonest('failed'), failed),
    };
  }
  if (missing > 0) return { state: 'partial', reason: held(missing) + told(await commonest('missing'), missing) };
  if (stored === 0) return { state: 'failed', reason: `no page was stored${await whyFew(run, commonest, isLocal)}` };
  if (stored === 1)
    return { state: 'completed', reason: `only one page was stored${await whyFew(run, commonest, isLocal)}` };
  if (skipped === 0) return { state: 'completed', reason: null };
  return { state: 'completed', reason: leftOut(skipped) + told(await commonest('skipped'), skipped) };
}

/** What kept the rest out, the likeliest culprit first. */
async function whyFew({ counts }: Pick<Run, 'counts'>, commonest: Commonest, isLocal: boolean): Promise<string> {
  const { skipped, refused, gone } = counts;
  if (skipped > 0) return `: ${leftOut(skipped)}${told(await commonest('skipped'), skipped)}`;
  if (refused > 0) {
    const some = refused === 1 ? '1 URL was refused' : `${refused} URLs were refused`;
    return `: ${some}${told(await commonest('refused'), refused)}`;
  }
  if (gone > 0) return `: nothing is there${told(await commonest('gone'), gone)}`;
  return isLocal ? ': there is no other file to read' : ': it links to no other page';
}

/** Only the sweep knows why; its problem says it. */
function held(pages: number): string {
  return pages === 1 ? '1 page is not found any more and stays' : `${pages} pages are not found any more and stay`;
}

function leftOut(pages: number): string {
  return pages === 1 ? '1 page was left out' : `${pages} pages were left out`;
}

function told(reason: OutcomeReason | null, of: number): string {
  if (reason === null) return ', for no recorded reason';
  const next = nextStepFor(reason.reason);
  return `${of > 1 ? ', such as' : ':'} ${reason.example} (${reason.reason})${next === null ? '' : `. ${next}`}`;
}

/** A reason that begins with a code of the catalogue has the catalogue's advice, where that needs no details. */
function nextStepFor(reason: string): string | null {
  const entry = errorCatalogue().find(({ code }) => reason === code || reason.startsWith(`${code}:`));
  return entry?.next === undefined || entry.next.includes('{') ? null : entry.next;
}
