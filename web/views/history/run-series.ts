// The runs of a library as bars of a plot: one for each run, or one for each day.

import type { LibraryGrowth, RunView } from '../../api/responses.ts';
import type { PlotBar } from '../../components/bar-plot.tsx';

export type Grouping = 'run' | 'day';

export type RunMetric = 'new' | 'changed' | 'unchanged' | 'removed' | 'failed' | 'bytes' | 'rate';

export type RunBar = PlotBar<RunMetric>;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The bars of ended runs, oldest first, for any order of the input. Days without a run have no bar. */
export function barsOfRuns(runs: readonly RunView[], grouping: Grouping): readonly RunBar[] {
  const ended = runs.filter(({ endedAt }) => endedAt !== null).toSorted((a, b) => a.run - b.run);
  if (grouping === 'run')
    return ended.map((run) => ({ key: String(run.run), label: `run ${run.run}`, values: valuesOf([run]) }));
  return [...Map.groupBy(ended, ({ endedAt }) => dayOf(endedAt ?? ''))].map(([key, ofDay]) => {
    return { key, label: day.format(new Date(ofDay[0]?.endedAt ?? key)), values: valuesOf(ofDay) };
  });
}

/** The local day, as the labels show it. */
function dayOf(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;
}

function valuesOf(runs: readonly RunView[]): RunBar['values'] {
  const sum = (of: (run: RunView) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const seconds = sum(({ startedAt, endedAt }) =>
    startedAt === null || endedAt === null ? 0 : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
  );
  const settled = sum(({ counts }) => counts.found - counts.queued - counts.dropped);
  return {
    new: sum(({ counts }) => counts.new),
    changed: sum(({ counts }) => counts.changed),
    unchanged: sum(({ counts }) => counts.unchanged),
    removed: sum(({ counts }) => counts.removed),
    failed: sum(({ counts }) => counts.failed),
    bytes: sum(({ counts }) => counts.bytes),
    rate: seconds === 0 ? 0 : settled / seconds,
  };
}

const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Oldest first. A day without a run has the size of the day before. */
export function barsOfDays(days: LibraryGrowth['days']): ReadonlyArray<PlotBar<'pages' | 'database'>> {
  let database = 0;
  return days.map(({ day: date, pages, databaseBytes }) => {
    database = databaseBytes ?? database;
    return { key: date, label: utcDay.format(new Date(date)), values: { pages, database } };
  });
}
