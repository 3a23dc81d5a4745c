// The figures of a run, while it lives and after.

import type { ReactNode } from 'react';
import type { RunView as Run } from '../../api/responses.ts';
import { rateOf, settledOf, type RunLive } from '../../live/live-state.ts';
import { Figure } from '../../components/stat.tsx';
import { bytes, count } from '../../components/format.ts';
import { tookOf } from '../run-time.ts';

export function RunFigures({ run, live }: { readonly run: Run; readonly live: RunLive | null }): ReactNode {
  const rate = live === null || run.endedAt !== null ? average(run) : rateOf(live.samples);
  return (
    <dl className="figures">
      <Figure name="Settled" value={count(settledOf(run))} unit={`of ${count(run.counts.found)}`} />
      <Figure name="Queued" value={count(run.counts.queued)} />
      <Figure name={run.endedAt === null ? 'Pace' : 'Average pace'} value={rate.toFixed(1)} unit="a second" />
      <Figure name="Received" value={bytes(run.counts.bytes)} />
      <Figure name="Time" value={tookOf(run)} />
    </dl>
  );
}

function average(run: Run): number {
  const ms = run.startedAt === null || run.endedAt === null ? 0 : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  return ms === 0 ? 0 : (settledOf(run) * 1000) / ms;
}
