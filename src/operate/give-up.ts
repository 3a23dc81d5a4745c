// When a run ends itself before its queue is empty: too much fails, or its time is over. Pure; the conductor acts on it.

import type { HostState, Run } from '../store/port.ts';

export interface GiveUpLimits {
  /** Share of the URLs done so far that may have failed. */
  readonly maxFailureRate: number;
  /** Null where a run may take as long as it takes. */
  readonly maxMinutes: number | null;
}

export type GiveUpVerdict =
  | { readonly giveUp: false }
  | { readonly giveUp: true; readonly kind: 'many-failures' | 'hosts-down' | 'time-limit'; readonly reason: string };

/** Fewer failures than this are the site's own affair, whatever their share. */
const FEWEST_FAILURES = 25;
/** Five open the breaker; the others were single probes, a minute apart unless set otherwise. */
const FAILURES_OF_A_DEAD_HOST = 12;

export function giveUpVerdict(
  run: Pick<Run, 'counts' | 'startedAt'>,
  hosts: readonly HostState[],
  limits: GiveUpLimits,
  now: Date,
): GiveUpVerdict {
  const { counts, startedAt } = run;
  const { failed } = counts;
  const stored = counts.new + counts.changed + counts.unchanged;
  const done = failed + stored + counts.moved + counts.skipped + counts.gone + counts.missing;
  if (failed >= FEWEST_FAILURES && failed > done * limits.maxFailureRate) {
    return giveUp('many-failures', `it stopped itself, since ${failed} of the ${done} URLs asked so far failed`);
  }
  const dead = hosts.filter(({ failures, breaker }) => breaker !== 'closed' && failures >= FAILURES_OF_A_DEAD_HOST);
  if (dead.length > 0 && dead.length === hosts.length) {
    const names = dead.map(({ host }) => host).slice(0, 3);
    return giveUp(
      'hosts-down',
      `it stopped itself, since ${names.join(', ')} failed ${FAILURES_OF_A_DEAD_HOST} times in a row`,
    );
  }
  const minutes = startedAt === null ? 0 : (now.getTime() - startedAt.getTime()) / 60_000;
  if (limits.maxMinutes !== null && minutes > limits.maxMinutes) {
    return giveUp('time-limit', `it ended after ${limits.maxMinutes} minutes, as set, with what it had`);
  }
  return { giveUp: false };
}

function giveUp(kind: Extract<GiveUpVerdict, { giveUp: true }>['kind'], reason: string): GiveUpVerdict {
  return { giveUp: true, kind, reason };
}
