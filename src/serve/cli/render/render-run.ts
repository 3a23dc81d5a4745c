// Runs, plans, events and URLs for a terminal.

import { coverageLine } from '../../../core/analysis/coverage.ts';
import type { z } from 'zod';
import type { ReasonView } from '../../../actions/crawl-status.ts';
import type { ProblemView } from '../../../actions/list-problems.ts';
import type { planSource } from '../../../actions/plan-source.ts';
import type { RunView } from '../../../actions/support/run-view.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { pluralize, thousands } from '../../../core/text/plural.ts';
import type { OutcomeName } from '../../../core/model/outcome.ts';
import { settingText } from '../../../core/model/setting-formats.ts';
import { OUTCOME_LABELS } from '../../../core/outcome/outcome-labels.table.ts';
import { reasonLabel } from '../../../core/outcome/reasons.table.ts';
import type { FollowedRun, StatusResult } from '../follow-run.ts';
import { describeRate, formatDuration } from './render-progress.ts';

/** Shown in another part of the line. */
const SHOWN_SEPARATELY: ReadonlySet<string> = new Set(['found', 'excluded', 'bytes']);

function countText(count: string, n: number): string {
  const label = Object.hasOwn(OUTCOME_LABELS, count) ? OUTCOME_LABELS[count as OutcomeName].label : count;
  return `${thousands(n)} ${label}`;
}

/** A healthy site links to many others: nothing has failed. */
function describeExcluded(n: number): string {
  return n === 1 ? '1 link leads elsewhere or is excluded' : `${thousands(n)} links lead elsewhere or are excluded`;
}

const MAX_PROBLEMS = 20;

/** One run in detail, or a summary of the latest ones. */
export function renderStatus(status: StatusResult): string {
  const { runs, reasons, hosts, problems, settings, markdownVerdict, coverage, estimate, unindexed, scheduled } =
    status;
  const waiting =
    unindexed === 0
      ? ''
      : `${pluralize(unindexed, 'page')} ${unindexed === 1 ? 'is' : 'are'} stored but not searchable yet.\n`;
  const due = scheduled.map(({ source, at }) => `Next run of ${source}: ${at}\n`);
  const rates = hosts.map((host) => `  ${host.host}: ${describeRate(host)}\n`);
  return (
    renderRuns(runs) +
    renderSettings(settings) +
    (markdownVerdict === null ? '' : `  Pages are read as ${markdownVerdict}\n`) +
    (coverage === null ? '' : `  Coverage: ${coverageLine(coverage)}\n`) +
    (estimate === null ? '' : `  The site has about ${estimate.pages} pages (${estimate.low} to ${estimate.high})\n`) +
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
    .filter(([name, n]) => n > 0 && !SHOWN_SEPARATELY.has(name))
    .map(([name, n]) => countText(name, n));
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
  const left = Object.entries({ excluded, skipped, failed }).flatMap(([outcome, count]) =>
    count > 0 ? [outcome] : [],
  );
  const hint = left.length > 0 ? `  To see why URLs were ${left.join(' or ')}: pinakes status ${view.run}\n` : '';
  return summary + hint;
}

/** Next steps for a run that stored nothing. */
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
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ severity, target, message, count }) => {
    const often = count > 1 ? ` (${count} times)` : '';
    return `  ${SEVERITIES[severity]}: ${displayUrl(target)}: ${message}${often}\n`;
  });
  const more = problems.length - lines.length;
  return lines.join('') + (more > 0 ? `  and ${more} more: pinakes problems\n` : '');
}

const OUTSIDE = 'out-of-scope: scope ';

/** A link out of the scope leads elsewhere; the others are excluded by a rule. */
function describeReason(outcome: string, count: number, reason: string): string {
  if (outcome !== 'excluded' || !reason.startsWith(OUTSIDE)) return countText(outcome, count);
  return count === 1 ? '1 link leads elsewhere' : `${thousands(count)} links lead elsewhere`;
}

function renderReasons(reasons: readonly ReasonView[]): string {
  return reasons
    .map(
      ({ outcome, reason, count, example }) =>
        `  ${describeReason(outcome, count, reason)}: ${reasonLabel(reason)}\n    ${count > 1 ? 'such as ' : ''}${displayUrl(example)}\n`,
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

const RENDER_REASONS: Readonly<Record<Plan['rendering']['pages'][number]['reason'], string>> = {
  empty: 'it is empty without a browser',
  route: 'its route is in the fragment',
  always: 'the mode is always',
};

function renderRendering({ mode, pages }: Plan['rendering']): string[] {
  if (pages.length === 0) return [];
  const heading = mode === 'never' ? 'Needs a browser, and is not rendered:' : 'Rendered in a browser:';
  return [heading, ...pages.map(({ url, reason }) => `  ${url}: ${RENDER_REASONS[reason]}`)];
}

const MAX_SECTIONS = 12;

function renderForecast(forecast: Plan['forecast']): string[] {
  if (forecast === null) return [];
  const { pages, low, high, sections, hubs } = forecast;
  const shown = sections.slice(0, MAX_SECTIONS).map(({ label, urls }) => `${label} (${urls})`);
  return [
    `The site has about ${pluralize(pages, 'page')} (${low} to ${high}).`,
    ...(shown.length === 0 ? [] : [`Sections: ${shown.join(', ')}`]),
    ...(hubs.length === 0 ? [] : ['First of all:', ...hubs.map((url) => `  ${url}`)]),
  ];
}

export function renderPlan(plan: Plan): string {
  const methods = Object.entries(plan.foundBy).map(([method, count]) => `${count} from ${method}`);
  const { verdict } = plan;
  const warning = verdict === null ? [] : [`${verdict.title}: ${verdict.text}`];
  if (verdict?.isBlocking === true) return [...warning, 'A crawl would store nothing.', ''].join('\n');
  const lines = [
    ...warning,
    `A crawl of ${plan.startUrl} starts with ${pluralize(plan.accepted, 'URL')}${methods.length > 0 ? `: ${methods.join(', ')}` : ''}.`,
    ...(plan.markdownRoute === null ? [] : [`Pages are fetched as Markdown (${plan.markdownRoute}).`]),
    ...plan.examples.map(({ url }) => `  ${url}`),
    ...(plan.accepted > plan.examples.length ? [`  and ${plan.accepted - plan.examples.length} more`] : []),
    ...(plan.excluded.length > 0 ? ['Excluded:'] : []),
    ...plan.excluded.map(({ rule, count, example }) => `  ${count} by ${rule}, such as ${example}`),
    ...renderRendering(plan.rendering),
    ...renderForecast(plan.forecast),
    ...plan.problems.slice(0, MAX_PLAN_PROBLEMS).map((problem) => `Problem: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}
