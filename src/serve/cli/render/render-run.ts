// Runs for a person at a terminal.

import type { ReasonView } from '../../../actions/crawl-status.ts';
import type { RunView } from '../../../actions/run-view.ts';

/** What the counts are called here, where their own name would not say it. `null` stands elsewhere in the line. */
const WORDS: Readonly<Record<string, string | null>> = {
  found: null,
  refused: null,
  bytes: null,
  moved: 'aliases',
  skipped: 'left out',
  dropped: 'not asked',
};

const SHOWN_WARNINGS = 20;

export function renderRuns(runs: readonly RunView[]): string {
  if (runs.length === 0) return 'No run yet. Begin with: pinakes add https://docs.example.dev --wait\n';
  return runs.map((run) => renderRun(run)).join('');
}

function renderRun(view: RunView): string {
  const { found, refused, bytes } = view.counts;
  const outcomes = Object.entries(view.counts)
    .filter(([name, n]) => n > 0 && WORDS[name] !== null)
    .map(([name, n]) => `${n} ${WORDS[name] ?? name}`);
  const all = found === 0 ? 'no URL found' : `${found} found: ${outcomes.join(', ')}`;
  const kept = refused === 0 ? '' : `; ${refused} refused`;
  return `${headOf(view)}\n  ${all}${kept}; ${sizeOf(bytes)} received\n${renderWarnings(view.warnings ?? [])}`;
}

/** A run that was waited for; whoever wants to know more is told where, and whoever stopped waiting how it goes on. */
export function renderEndedRun(view: RunView): string {
  if (view.endedAt === null) return `${renderRun(view)}  It is not finished: pinakes worker goes on with it.\n`;
  const { refused, skipped, failed } = view.counts;
  const hint = refused + skipped + failed > 0 ? `  pinakes status ${view.run} says why URLs were kept out.\n` : '';
  return renderRun(view) + hint;
}

export function renderReasons(reasons: readonly ReasonView[]): string {
  return reasons
    .map(
      ({ outcome, reason, times, example }) =>
        `  ${times} ${WORDS[outcome] ?? outcome}: ${reason}\n    ${times > 1 ? 'such as ' : ''}${example}\n`,
    )
    .join('');
}

function headOf({ run, source, state, reason, startedAt, endedAt }: RunView): string {
  const took =
    startedAt === null || endedAt === null ? '' : ` in ${durationOf(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return `Run ${run} of ${source} ${state}${took}${reason === null ? '' : `: ${reason}`}`;
}

function renderWarnings(warnings: readonly string[]): string {
  const lines = warnings.slice(0, SHOWN_WARNINGS).map((warning) => `  warning: ${warning}\n`);
  const more = warnings.length - lines.length;
  return lines.join('') + (more > 0 ? `  and ${more} more warnings\n` : '');
}

export function progressLine(view: RunView): string {
  const { found, queued, failed } = view.counts;
  const done = found - queued;
  const trouble = failed > 0 ? `, ${failed} failed` : '';
  return `Run ${view.run} of ${view.source} ${view.state}: ${done} of ${found} URLs done${trouble}`;
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'less than a second';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
