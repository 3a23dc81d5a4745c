// The line at the foot of the page: whether the stream is alive, and what goes on right now.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rateOf, settledOf, type RunLive } from '../live/live-state.ts';
import { useLive } from '../live/live-store.ts';
import { brief } from '../components/format.ts';
import { StateMark } from '../components/state-badge.tsx';

const SAYS = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost, trying again' } as const;
const TONES = { connecting: 'queued', live: 'completed', lost: 'failed' } as const;

export function LiveFoot(): ReactNode {
  const { connection, seq, received, runs } = useLive();
  const live = [...runs.values()].filter(({ view }) => view.endedAt === null);
  return (
    <footer className="foot" data-connection={connection} data-seq={seq ?? ''} data-received={received}>
      <span role="status">
        <StateMark state={TONES[connection]} label={SAYS[connection]} />
      </span>
      {live.slice(0, 2).map((run) => (
        <LiveRun key={run.view.run} run={run} />
      ))}
      {live.length === 0 && <span className="wide">No run is going on.</span>}
      <span className="spacer" />
      {seq !== null && <span className="wide num">event {brief(seq)}</span>}
    </footer>
  );
}

function LiveRun({ run: { view, samples } }: { readonly run: RunLive }): ReactNode {
  const rate = view.state === 'running' ? `${rateOf(samples).toFixed(1)}/s` : view.state;
  return (
    <Link className="live-run" to="/runs/$run" params={{ run: String(view.run) }}>
      <strong className="cut">{view.source}</strong>
      <span className="num">
        {brief(settledOf(view))} of {brief(view.counts.found)} · {rate}
      </span>
    </Link>
  );
}
