// Panels of the run view: problems and milestones, hosts, the queue, and settings.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingText } from '../../../src/core/model/setting-formats.ts';
import { hostsQuery, milestonesQuery } from '../../api/queries.ts';
import type { HostView, ProblemView, RunStatus } from '../../api/responses.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { formatAgo, formatBytes, formatCount, formatDuration } from '../../components/format.ts';
import { StateBadge } from '../../components/state-badge.tsx';

interface RunPanelProps {
  readonly run: number;
  readonly isLive: boolean;
}

interface ProblemListProps extends RunPanelProps {
  readonly problems: readonly ProblemView[];
}

export function ProblemList({ problems, run, isLive }: ProblemListProps): ReactNode {
  const { data } = useQuery(milestonesQuery(run, isLive));
  const milestones = data?.milestones ?? [];
  return (
    <>
      {problems.length === 0 && <p className="muted">No problems.</p>}
      {problems.map((problem) => (
        <ProblemNotice key={`${problem.kind} ${problem.target}`} problem={problem} />
      ))}
      {milestones.length > 0 && (
        <ul className="milestones small muted" aria-label="Milestones">
          {milestones.toReversed().map(({ id, message, ts }) => (
            <li key={id}>
              {message} {formatAgo(ts)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface ProblemNoticeProps {
  readonly problem: ProblemView;
  readonly children?: ReactNode;
}

export function ProblemNotice({ problem, children }: ProblemNoticeProps): ReactNode {
  const { severity, kind, count, lastAt, message, target } = problem;
  return (
    <div className="notice" data-tone={severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'none'}>
      <div className="row spread">
        <StateBadge state={severity} label={kind} />
        <span className="row muted small num">
          {children}
          <span>
            {count > 1 && `${formatCount(count)} times, last `}
            {formatAgo(lastAt)}
          </span>
        </span>
      </div>
      <p>{message}</p>
      <p className="mono muted small">{target}</p>
    </div>
  );
}

const COLUMNS: ReadonlyArray<Column<HostView>> = [
  { name: 'Host', width: 'minmax(10rem, 2fr)', cell: ({ host }) => <span className="mono">{host}</span> },
  { name: 'Circuit breaker', width: '7.5rem', cell: ({ breaker }) => <StateBadge state={breaker} /> },
  { name: 'Requests', width: '5rem', cell: ({ requests }) => formatCount(requests), isNumber: true },
  { name: 'Pages', width: '4rem', cell: ({ pages }) => formatCount(pages), isNumber: true },
  { name: 'Errors', width: '4rem', cell: ({ errors }) => formatCount(errors), isNumber: true },
  { name: 'Received', width: '5rem', cell: ({ bytes }) => formatBytes(bytes), isNumber: true },
  { name: 'Last status', width: '5.5rem', cell: ({ lastStatus }) => lastStatus ?? '–', isNumber: true },
  {
    name: 'Delay',
    width: '4rem',
    cell: ({ delayMs }) => (delayMs === 0 ? '–' : formatDuration(delayMs)),
    isNumber: true,
  },
  {
    name: 'Crawl-delay',
    width: '5.5rem',
    cell: ({ crawlDelayMs }) => (crawlDelayMs === null ? '–' : formatDuration(crawlDelayMs)),
    isNumber: true,
  },
  {
    name: 'Paused for',
    width: '6rem',
    cell: ({ pausedForMs }) => (pausedForMs === 0 ? '–' : formatDuration(pausedForMs)),
    isNumber: true,
  },
];

export function HostTable({ run, isLive }: RunPanelProps): ReactNode {
  const { data } = useQuery(hostsQuery(run, isLive));
  const hosts = data?.hosts ?? [];
  if (hosts.length === 0)
    return <p className="muted">{isLive ? 'No hosts contacted yet.' : 'No host was contacted.'}</p>;
  return <DataTable label="Hosts" rows={hosts} columns={COLUMNS} keyOf={({ host }) => host} minWidth="56rem" />;
}

export interface RunQueueProps {
  readonly queue: RunStatus['queue'];
  readonly isLive: boolean;
  /** The run's own counter, which is updated more often than `queue`. */
  readonly queued: number;
}

export function RunQueue({ queue, isLive, queued }: RunQueueProps): ReactNode {
  if (!isLive) return <p className="muted">The queue is empty: the run has ended.</p>;
  if (queue.length === 0) return <p className="muted">{queued === 0 ? 'The queue is empty.' : 'Loading the queue…'}</p>;
  const longest = Math.max(...queue.map(({ urls }) => urls));
  return (
    <dl className="queue-depths num" aria-label="Queue by depth">
      {queue.map(({ depth, urls }) => (
        <div key={depth}>
          <dt>{depth === 0 ? 'Start and listed URLs' : `Depth ${formatCount(depth)}`}</dt>
          <dd>
            <i style={{ width: `${(urls / longest) * 100}%` }} aria-hidden="true" />
            <span>{formatCount(urls)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SETTING_COLUMNS: ReadonlyArray<Column<readonly [name: string, value: unknown]>> = [
  { name: 'Setting', width: '14rem', cell: ([name]) => <span className="mono">{name}</span> },
  {
    name: 'Value',
    width: 'minmax(12rem, 1fr)',
    cell: ([, value]) => settingText(value) || <span className="muted">not set</span>,
  },
];

/** The settings that the run began with: the source may have others by now. */
export function RunSettings({ settings }: { readonly settings: RunStatus['settings'] }): ReactNode {
  const entries = Object.entries(settings ?? {});
  if (entries.length === 0)
    return <p className="muted">Settings are recorded when the run starts and deleted with its events.</p>;
  return <DataTable label="Settings of the run" columns={SETTING_COLUMNS} rows={entries} keyOf={([name]) => name} />;
}
