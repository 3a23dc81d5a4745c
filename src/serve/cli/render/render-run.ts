// Runs for a person at a terminal.

import type { ReasonView } from '../../../actions/crawl-status.ts';
import type { ProblemView } from '../../../actions/list-problems.ts';
import type { RunView } from '../../../actions/support/run-view.ts';
import type { FollowedRun, StatusAnswer } from '../follow-run.ts';
import { durationOf } from './duration-of.ts';
import { paceOf } from './render-progress.ts';

/** What the counts are called here, where their own name would not say it. `null` stands elsewhere in the line. */
const WORDS: Readonly<Record<string, string | null>> = {
  found: null,
  refused: null,
  bytes: null,
  moved: 'aliases',
  skipped: 'left out',
  dropped: 'not asked',
};

const SHOWN_PROBLEMS = 20;

/** One run with all that is known of it, or the latest ones in short. */
export function renderStatus({ runs, reasons, hosts, problems, unindexed, next }: StatusAnswer): string {
  const waiting = unindexed === 0 ? '' : `${unindexed} pages are stored and cannot be searched yet.\n`;
  const due = next.map(({ source, at }) => `${source} is brought up to date at ${at}.\n`);
  const paces = hosts.map((host) => `  ${host.host}: ${paceOf(host)}\n`);
  return renderRuns(runs) + paces.join('') + renderProblems(problems) + renderReasons(reasons) + waiting + due.join('');
}

function renderRuns(runs: readonly RunView[]): string {
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
  return `${headOf(view)}\n  ${all}${kept}; ${sizeOf(bytes)} received\n`;
}

/** A run that was waited for; whoever wants to know more is told where, and whoever stopped waiting how it goes on. */
export function renderFollowedRun(view: FollowedRun): string {
  const told = renderRun(view) + renderProblems(view.problems);
  if (view.endedAt === null) {
    const next = view.goesOn
      ? `It goes on in the background: pinakes status ${view.run} shows it, pinakes stop ${view.run} ends it.`
      : 'It is not finished: pinakes worker goes on with it.';
    return `${told}  ${next}\n`;
  }
  const { refused, skipped, failed } = view.counts;
  const hint = refused + skipped + failed > 0 ? `  pinakes status ${view.run} says why URLs were kept out.\n` : '';
  return told + hint;
}

/** What stands in front of each. */
const SEVERITIES = { error: 'error', warning: 'warning', info: 'note' } as const;

export function renderProblems(problems: readonly ProblemView[]): string {
  const lines = problems.slice(0, SHOWN_PROBLEMS).map(({ severity, target, message, times }) => {
    const often = times > 1 ? ` (${times} times)` : '';
    return `  ${SEVERITIES[severity]}: ${target}: ${message}${often}\n`;
  });
  const more = problems.length - lines.length;
  return lines.join('') + (more > 0 ? `  and ${more} more: pinakes problems\n` : '');
}

function renderReasons(reasons: readonly ReasonView[]): string {
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

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
