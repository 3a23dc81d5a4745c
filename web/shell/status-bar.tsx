// The status bar: state of the event stream and the runs in progress.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { settledPerSecond, settledCount, type RunLive } from '../live/live-state.ts';
import { useLive } from '../live/live-store.ts';
import { formatCompact } from '../components/format.ts';
import { Account } from './account.tsx';
import { StateBadge } from '../components/state-badge.tsx';

const CONNECTION_LABELS = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, reconnecting',
  refused: 'Not signed in',
} as const;
const CONNECTION_STATES = { connecting: 'queued', live: 'completed', lost: 'failed', refused: 'paused' } as const;

export function StatusBar(): ReactNode {
  const { connection, seq, received, runs } = useLive();
  const live = [...runs.values()].filter(({ view }) => view.endedAt === null);
  return (
    <footer className="status-bar" data-connection={connection} data-seq={seq ?? ''} data-received={received}>
      <span role="status">
        <StateBadge state={CONNECTION_STATES[connection]} label={CONNECTION_LABELS[connection]} />
      </span>
      {live.slice(0, 2).map((run) => (
        <LiveRun key={run.view.run} run={run} />
      ))}
      {live.length === 0 && <span className="wide">No active runs</span>}
      <span className="phone-only account-slot">
        <Account />
      </span>
    </footer>
  );
}

function LiveRun({ run: { view, samples } }: { readonly run: RunLive }): ReactNode {
  const rate = view.state === 'running' ? `${settledPerSecond(samples).toFixed(1)}/s` : view.state;
  return (
    <Link className="live-run" to="/runs/$run" params={{ run: String(view.run) }}>
      <strong className="truncate">{view.source}</strong>
      <span className="num">
        {formatCompact(settledCount(view))} of {formatCompact(view.counts.found)} · {rate}
      </span>
    </Link>
  );
}
