// Runs in words: a summary of each, the state of one in detail, its problems and the reasons for its outcomes.

import type { z } from 'zod';
import type { crawlStatus, ReasonView } from '../../actions/crawl-status.ts';
import type { ProblemView } from '../../actions/list-journal.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import { coverageLine } from '../../core/analysis/coverage.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import { displayUrl } from '../../core/files/file-url.ts';
import type { OutcomeName } from '../../core/model/outcome.ts';
import { settingText } from '../../core/model/setting-formats.ts';
import { sourceLabel } from '../../core/model/source-name.ts';
import { OUTCOME_LABELS } from '../../core/outcome/outcome-labels.table.ts';
import { reasonLabel } from '../../core/outcome/reasons.table.ts';
import { formatBytes, formatDuration, pluralize, thousands } from '../../core/text/plural.ts';
import type { Reader } from './readers.table.ts';

type Status = z.output<typeof crawlStatus.output>;
type Counts = RunView['counts'];

/** One run in detail, or a summary of the latest ones. */
export function statusText(status: Status, reader: Reader): string {
  const { runs, source, unindexed, scheduled } = status;
  const [run] = runs;
  if (run === undefined) return reader.noRuns;
  return [
    ...(source === null ? runs.flatMap(runLines) : detailLines(run, source, status, reader)),
    ...(unindexed > 0
      ? [`${pluralize(unindexed, 'page')} ${unindexed === 1 ? 'is' : 'are'} stored and not searchable yet.`]
      : []),
    ...scheduled.map((one) => `Next run of ${sourceLabel(one.source)}: ${one.at}`),
  ].join('\n');
}

/** What a run is, and what it has done. */
export function runLines({ run, source, state, counts, reason, startedAt, endedAt }: RunView): string[] {
  const took =
    startedAt === null || endedAt === null ? '' : ` in ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  const done = endedAt === null ? [progress(counts), ...countTexts(counts, LIVE_COUNTS)] : endedCounts(counts);
  return [
    `Run ${run} of ${sourceLabel(source)} ${state}${took}${reason === null ? '' : `: ${cleanLine(reason)}`}`,
    `  ${done.join(', ')}; ${formatBytes(counts.bytes)} received`,
  ];
}

function detailLines(run: RunView, source: NonNullable<Status['source']>, status: Status, reader: Reader): string[] {
  const { counts, startedAt, endedAt, reason } = run;
  const ended = [
    `Last crawl: ${endedAt ?? ''} (run ${run.run}, ${run.state}${reason === null ? '' : `: ${cleanLine(reason)}`})`,
    `Pages: ${endedCounts(counts).join(', ')}; ${thousands(source.pages)} stored`,
    `Chunks: ${thousands(source.chunks)} total`,
  ];
  const live = [
    `Progress: ${progress(counts)} (run ${run.run}, ${run.state})`,
    `Unchanged: ${pluralize(counts.unchanged, 'page')}`,
  ];
  const settings = settingsText(status.settings);
  return [
    `Source: ${sourceLabel(run.source)} (${cleanLine(source.startUrl)})`,
    `Status: ${source.status}`,
    ...(endedAt === null ? live : ended),
    ...(reader.moreUrls === null ? reasonLines(status.reasons) : urlLines(counts, status, reader.moreUrls)),
    ...(settings === '' ? [] : [`Settings: ${settings}`]),
    ...(status.markdownVerdict === null ? [] : [`Read as: ${status.markdownVerdict}`]),
    ...(status.coverage === null ? [] : [`Coverage: ${cleanLine(coverageLine(status.coverage))}`]),
    ...(status.estimate === null ? [] : [`Estimated: ${estimateText(status.estimate)}`]),
    ...problemLines(status.problems, reader),
    ...(startedAt === null ? [] : [`Started: ${startedAt}`]),
    ...(status.elapsedMs === null ? [] : [`Elapsed: ${formatDuration(status.elapsedMs)}${timeLeft(run)}`]),
  ];
}

/** What is neither empty nor off. */
function settingsText(settings: Status['settings']): string {
  const shown = Object.entries(settings ?? {}).flatMap(([name, value]) => {
    const text = cleanLine(settingText(value));
    return text === '' || text === 'false' ? [] : [`${name} ${text}`];
  });
  return shown.join(', ');
}

function estimateText({ pages, low, high }: NonNullable<Status['estimate']>): string {
  return `${thousands(pages)} pages (${thousands(low)} to ${thousands(high)})`;
}

const MAX_PROBLEMS = 10;
const SEVERITIES = { error: 'error', warning: 'warning', info: 'note' } as const;

/** Except what the line of the run says already: how it ended. */
export function problemLines(problems: readonly ProblemView[], reader: Reader): string[] {
  const others = problems.filter(({ kind }) => kind !== 'run-failed' && kind !== 'run-partial');
  const more = others.length - MAX_PROBLEMS;
  return [
    ...(others.length === 0 ? [] : ['Problems:']),
    ...others.slice(0, MAX_PROBLEMS).map((problem) => `  - ${problemText(problem)}`),
    ...(more > 0 ? [`  and ${more} more: ${reader.moreProblems}`] : []),
  ];
}

export function problemText({ severity, target, message, count }: ProblemView): string {
  const often = count > 1 ? ` (${count} times)` : '';
  return `${SEVERITIES[severity]}: ${cleanLine(displayUrl(target))}: ${cleanLine(message)}${often}`;
}

const OUTSIDE = 'out-of-scope: scope ';

/** Each reason once, with a URL. */
function reasonLines(reasons: readonly ReasonView[]): string[] {
  return reasons.flatMap(({ outcome, reason, count, example }) => [
    `  ${reasonCount(outcome, count, reason)}: ${cleanLine(reasonLabel(reason))}`,
    `    ${count > 1 ? 'such as ' : ''}${cleanLine(displayUrl(example))}`,
  ]);
}

/** A link out of the scope leads elsewhere; the others are excluded by a rule. */
function reasonCount(outcome: OutcomeName, count: number, reason: string): string {
  if (outcome !== 'excluded' || !reason.startsWith(OUTSIDE)) return countText(outcome, count);
  return `${pluralize(count, 'link')} ${count === 1 ? 'leads' : 'lead'} elsewhere`;
}

/** Outcomes that have their own list, with its heading and what comes before the reason of a URL. */
const LISTED = [
  ['failed', 'Failed', ''],
  ['not-found', 'Not found (broken links)', ''],
  ['excluded', 'Excluded', 'excluded by '],
] as const;

type MoreUrls = NonNullable<Reader['moreUrls']>;

/** Lists of at most a page of URLs, each with how to get the next page; at the end those of another outcome, if one was asked for. */
function urlLines(counts: Counts, { urls, nextCursor }: Status, moreUrls: MoreUrls): string[] {
  const section = (heading: string, outcome: OutcomeName, by: string, count: number): string[] => {
    const shown = urls.filter((one) => one.outcome === outcome);
    if (count === 0 && shown.length === 0) return [];
    const cursor = shown.length === 0 ? null : nextCursor;
    return [
      heading,
      ...shown.map(({ url, reason }) => `  - ${cleanLine(displayUrl(url))}${reasonOf(reason, by)}`),
      ...(cursor !== null || shown.length < count ? [`  More: ${moreUrls(outcome, cursor)}`] : []),
    ];
  };
  const other = urls.find(({ outcome }) => !LISTED.some(([listed]) => listed === outcome))?.outcome;
  return [
    ...LISTED.flatMap(([outcome, title, by]) =>
      section(`${title}: ${pluralize(counts[outcome], 'URL')}`, outcome, by, counts[outcome]),
    ),
    ...(other === undefined ? [] : section(`URLs with the outcome ${other}:`, other, '', 0)),
  ];
}

function reasonOf(reason: string | null, by: string): string {
  return reason === null && by === '' ? '' : `: ${by}${cleanLine(reason ?? 'unknown')}`;
}

/** URLs that were requested, or are known to be fresh; one that a stopped run dropped is not. */
function crawled({ found, queued, dropped }: Counts): number {
  return found - queued - dropped;
}

const LIVE_COUNTS = ['failed', 'excluded'] as const;
const ENDED_COUNTS = [
  'new',
  'changed',
  'unchanged',
  'removed',
  'skipped',
  'not-found',
  'missing',
  'failed',
  'dropped',
  'excluded',
] as const;

function countTexts(counts: Counts, outcomes: ReadonlyArray<(typeof ENDED_COUNTS)[number]>): string[] {
  return outcomes.map((outcome) => countText(outcome, counts[outcome]));
}

function countText(outcome: OutcomeName, count: number): string {
  return `${thousands(count)} ${OUTCOME_LABELS[outcome].label}`;
}

/** `120 of 125 crawled, 15 unchanged, 2 failed`: always how many are unchanged or failed, the others if there are any. */
function endedCounts(counts: Counts): string[] {
  const all = crawled(counts) === counts.found ? '' : ` of ${thousands(counts.found)}`;
  const shown = ENDED_COUNTS.filter(
    (outcome) => counts[outcome] > 0 || outcome === 'unchanged' || outcome === 'failed',
  );
  return [`${thousands(crawled(counts))}${all} crawled`, ...countTexts(counts, shown)];
}

/** `42/120 pages crawled (35%)` */
function progress(counts: Counts): string {
  const percent = counts.found === 0 ? 0 : Math.floor((crawled(counts) * 100) / counts.found);
  return `${thousands(crawled(counts))}/${thousands(counts.found)} pages crawled (${percent}%)`;
}

function timeLeft({ etaSeconds }: RunView): string {
  return etaSeconds === null ? '' : `, about ${formatDuration(etaSeconds * 1000)} left`;
}
