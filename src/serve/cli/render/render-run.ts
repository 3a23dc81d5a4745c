// Runs, plans, events and URLs for a terminal.

import type { z } from 'zod';
import type { ReasonView } from '../../../actions/crawl-status.ts';
import type { ProblemView } from '../../../actions/list-problems.ts';
import type { planSource } from '../../../actions/plan-source.ts';
import type { RunView } from '../../../actions/support/run-view.ts';
import { reasonLabel } from '../../../core/classify/reason-label.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { pluralize } from '../../../core/model/plural.ts';
import { settingText } from '../../../core/model/setting-formats.ts';
import type { FollowedRun, StatusResult } from '../follow-run.ts';
import { describeRate, formatDuration } from './render-progress.ts';

/** Labels of counts whose own name is unclear. `null`: shown elsewhere in the line. */
const OUTCOME_LABELS: Readonly<Record<string, string | null>> = {
  found: null,
  excluded: null,
  bytes: null,
  moved: 'aliases',
  gone: 'broken links (404)',
  skipped: 'not indexed',
  dropped: 'not fetched',
};

/** `1 alias`, `2 aliases`. */
function labelOf(outcome: string, n: number): string {
  const label = OUTCOME_LABELS[outcome] ?? outcome;
  return n === 1 ? (SINGULARS[label] ?? label) : label;
}

const SINGULARS: Readonly<Record<string, string>> = { aliases: 'alias', 'broken links (404)': 'broken link (404)' };

function thousands(n: number): string {
  return n.toLocaleString('en-US');
}

/** A healthy site links to many others: nothing has failed. */
function describeExcluded(n: number): string {
  return n === 1 ? '1 link leads elsewhere or is excluded' : `${thousands(n)} links lead elsewhere or are excluded`;
}

const MAX_PROBLEMS = 20;

/** One run in detail, or a summary of the latest ones. */
export function renderStatus(status: StatusResult): string {
  const { runs, reasons, hosts, problems, settings, readAs, unindexed, scheduled } = status;
  const waiting =
    unindexed === 0
      ? ''
      : `${pluralize(unindexed, 'page')} ${unindexed === 1 ? 'is' : 'are'} stored but not searchable yet.\n`;
  const due = scheduled.map(({ source, at }) => `Next run of ${source}: ${at}\n`);
  const rates = hosts.map((host) => `  ${host.host}: ${describeRate(host)}\n`);
  return (
    renderRuns(runs) +
    renderSettings(settings) +
    (readAs === null ? '' : `  Pages are read as ${readAs}\n`) +
    rates.join('') +
    renderProblems(besidesResult(problems)) +
    renderReasons(reasons) +
    waiting +
    due.join('')
  );
}

/** What is neither empty nor off. */
function renderSettings(settings: StatusResult['settings']): string {
  const shown = Object.entries(settings ?? {}).flatMap(([name, value]) => {
    const text = settingText(value);
    return text === '' || text === 'false' ? [] : [`${name} ${text}`];
  });
  return shown.length === 0 ? '' : `  Settings: ${shown.join(', ')}\n`;
}

function renderRuns(runs: readonly RunView[]): string {
  if (runs.length === 0) return 'No runs yet. Start with: pinakes add https://docs.example.dev --wait\n';
  return runs.map((run) => renderRun(run)).join('');
}

function renderRun(view: RunView): string {
  const { found, excluded, bytes } = view.counts;
  const outcomes = Object.entries(view.counts)
    .filter(([name, n]) => n > 0 && OUTCOME_LABELS[name] !== null)
    .map(([name, n]) => `${thousands(n)} ${labelOf(name, n)}`);
  const all = found === 0 ? 'no URLs found' : `${thousands(found)} found: ${outcomes.join(', ')}`;
  const exclusions = excluded === 0 ? '' : `; ${describeExcluded(excluded)}`;
  return `${renderHeading(view)}\n  ${all}${exclusions}; ${formatBytes(bytes)} received\n`;
}

/** A run that the user waited for, with where to find details and, if interrupted, how it continues. */
export function renderFollowedRun(view: FollowedRun): string {
  const summary = renderRun(view) + renderProblems(besidesResult(view.problems));
  if (view.endedAt === null) {
    const next = view.continuesInBackground
      ? `It continues in the background. Show it: pinakes status ${view.run}. Stop it: pinakes stop ${view.run}`
      : 'It is not finished. Continue it: pinakes worker';
    return `${summary}  ${next}\n`;
  }
  const { excluded, skipped, failed, new: added, changed, unchanged } = view.counts;
  if (view.state === 'failed' && added + changed + unchanged === 0) return summary + nextSteps(view);
  const hint = excluded + skipped + failed > 0 ? `  To see why URLs were excluded: pinakes status ${view.run}\n` : '';
  return summary + hint;
}

/** Of a run that stored nothing. */
function nextSteps({ run, source }: FollowedRun): string {
  return `  Details: pinakes status ${run}. Try again: pinakes recrawl ${source}. Remove it: pinakes remove ${source}\n`;
}

/** Prefix of a problem. */
export const SEVERITIES = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The line of the run says already how it ended. */
function besidesResult(problems: readonly ProblemView[]): readonly ProblemView[] {
  return problems.filter(({ kind }) => kind !== 'run-failed' && kind !== 'run-partial');
}

function renderProblems(problems: readonly ProblemView[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ severity, target, message, times }) => {
    const often = times > 1 ? ` (${times} times)` : '';
    return `  ${SEVERITIES[severity]}: ${displayUrl(target)}: ${message}${often}\n`;
  });
  const more = problems.length - lines.length;
  return lines.join('') + (more > 0 ? `  and ${more} more: pinakes problems\n` : '');
}

const OUTSIDE = 'out-of-scope: scope ';

/** A link out of the scope leads elsewhere; the others are excluded by a rule. */
function describeReason(outcome: string, times: number, reason: string): string {
  if (outcome !== 'excluded' || !reason.startsWith(OUTSIDE)) return `${thousands(times)} ${labelOf(outcome, times)}`;
  return times === 1 ? '1 link leads elsewhere' : `${thousands(times)} links lead elsewhere`;
}

function renderReasons(reasons: readonly ReasonView[]): string {
  return reasons
    .map(
      ({ outcome, reason, times, example }) =>
        `  ${describeReason(outcome, times, reason)}: ${reasonLabel(reason)}\n    ${times > 1 ? 'such as ' : ''}${displayUrl(example)}\n`,
    )
    .join('');
}

function renderHeading({ run, source, state, reason, startedAt, endedAt }: RunView): string {
  const took =
    startedAt === null || endedAt === null ? '' : ` in ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return `Run ${run} of ${source} ${state}${took}${reason === null ? '' : `: ${reason}`}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

const MAX_PLAN_PROBLEMS = 10;

type Plan = z.output<typeof planSource.output>;

const RENDER_CAUSES: Readonly<Record<Plan['rendering']['pages'][number]['because'], string>> = {
  empty: 'it is empty without a browser',
  route: 'its route is in the fragment',
  always: 'the mode is always',
};

function renderRendering({ mode, pages }: Plan['rendering']): string[] {
  if (pages.length === 0) return [];
  const heading = mode === 'never' ? 'Needs a browser, and is not rendered:' : 'Rendered in a browser:';
  return [heading, ...pages.map(({ url, because }) => `  ${url}: ${RENDER_CAUSES[because]}`)];
}

export function renderPlan(plan: Plan): string {
  const methods = Object.entries(plan.foundBy).map(([method, times]) => `${times} from ${method}`);
  const lines = [
    `A crawl of ${plan.start} starts with ${pluralize(plan.accepted, 'URL')}${methods.length > 0 ? `: ${methods.join(', ')}` : ''}.`,
    ...(plan.markdownRoute === null ? [] : [`Pages are fetched as Markdown (${plan.markdownRoute}).`]),
    ...plan.examples.map(({ url }) => `  ${url}`),
    ...(plan.accepted > plan.examples.length ? [`  and ${plan.accepted - plan.examples.length} more`] : []),
    ...(plan.excluded.length > 0 ? ['Excluded:'] : []),
    ...plan.excluded.map(({ rule, times, example }) => `  ${times} by ${rule}, such as ${example}`),
    ...renderRendering(plan.rendering),
    ...plan.problems.slice(0, MAX_PLAN_PROBLEMS).map((problem) => `Problem: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}
