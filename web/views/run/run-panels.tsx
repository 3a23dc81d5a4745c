// What a run tells of itself beside its figures: problems, milestones and hosts.

import type { ReactNode } from 'react';
import type { HostView, ProblemView, Status } from '../../api/responses.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ago, count, duration } from '../../components/format.ts';
import { StateMark } from '../../components/state-badge.tsx';

interface ProblemListProps {
  readonly problems: readonly ProblemView[];
  readonly milestones: Status['milestones'];
}

export function ProblemList({ problems, milestones }: ProblemListProps): ReactNode {
  return (
    <>
      {problems.length === 0 && <p className="quiet">No problem was met.</p>}
      {problems.map((problem) => (
        <div
          key={`${problem.kind} ${problem.target}`}
          className="notice"
          data-tone={problem.severity === 'error' ? 'bad' : problem.severity === 'warning' ? 'warn' : 'none'}
        >
          <div className="row apart">
            <StateMark state={problem.severity} label={problem.kind} />
            <span className="quiet small num">
              {problem.times > 1 && `${count(problem.times)} times, last `}
              {ago(problem.lastAt)}
            </span>
          </div>
          <p>{problem.message}</p>
          <p className="mono quiet small">{problem.target}</p>
        </div>
      ))}
      {milestones.length > 0 && (
        <ul className="milestones small quiet" aria-label="Milestones">
          {milestones.map(({ kind, at }) => (
            <li key={kind}>
              <span className="tag">{kind}</span> {ago(at)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<HostView>> = [
  { name: 'Host', width: 'minmax(12rem, 2fr)', cell: ({ host }) => <span className="mono">{host}</span> },
  { name: 'Breaker', width: '8rem', cell: ({ breaker }) => <StateMark state={breaker} /> },
  {
    name: 'Pace',
    width: '8rem',
    cell: ({ delayMs }) => (delayMs === 0 ? 'no wait' : `${duration(delayMs)} apart`),
    isNumber: true,
  },
  {
    name: 'robots.txt asks',
    width: '8rem',
    cell: ({ crawlDelayMs }) => (crawlDelayMs === null ? 'nothing' : duration(crawlDelayMs)),
    isNumber: true,
  },
  {
    name: 'Paused for',
    width: '7rem',
    cell: ({ pausedForMs }) => (pausedForMs === 0 ? 'no' : duration(pausedForMs)),
    isNumber: true,
  },
  { name: 'Failures in a row', width: '8rem', cell: ({ failures }) => count(failures), isNumber: true },
];

export function HostTable({
  hosts,
  isLive,
}: {
  readonly hosts: readonly HostView[];
  readonly isLive: boolean;
}): ReactNode {
  if (hosts.length === 0)
    return <p className="quiet">{isLive ? 'No host was asked yet.' : 'Hosts are shown while a run lives.'}</p>;
  return <DataTable label="Hosts" rows={hosts} columns={COLUMNS} keyOf={({ host }) => host} minWidth="58rem" />;
}
