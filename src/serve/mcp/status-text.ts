// The state of sources and of runs as an agent reads it.

import type { z } from 'zod';
import type { crawlStatus } from '../../actions/crawl-status.ts';
import type { SourceView } from '../../actions/list-sources.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import { coverageLine } from '../../core/analysis/coverage.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import { versionLabel } from '../../core/model/declared-version.ts';
import { sourceLabel } from '../../core/model/source-name.ts';
import { OUTCOME_LABELS } from '../../core/outcome/outcome-labels.table.ts';
import { displayUrl } from '../../core/files/file-url.ts';
import { thousands } from '../../core/text/plural.ts';

const MAX_LISTED_SOURCES = 100;

/** One line for a source and its version, then what the site says about itself, in quotation marks. */
export function sourcesText(sources: readonly SourceView[], total: number): string {
  const lines = sources
    .slice(0, MAX_LISTED_SOURCES)
    .flatMap((source) => [
      `- ${sourceLabel(source.source)}: ${[source.status, ...sourceDates(source)].join(', ')}, ${cleanLine(source.startUrl)}`,
      ...(source.reason === null ? [] : [`  Its latest run: ${cleanLine(source.reason)}`]),
      ...(source.ignoresTerms ? ['  The operator set that its terms of use exclude no pages'] : []),
      ...source.versions.flatMap(versionLines),
    ]);
  const more = total - Math.min(sources.length, MAX_LISTED_SOURCES);
  return [...lines, ...(more > 0 ? [`${more} more: call list_sources with part of a name.`] : [])].join('\n');
}

function sourceDates({ lastCrawlAt, nextRunAt }: SourceView): string[] {
  return [
    ...(lastCrawlAt === null ? [] : [`last crawl ${lastCrawlAt.slice(0, 10)}`]),
    ...(nextRunAt === null ? [] : [`next run ${nextRunAt.slice(0, 10)}`]),
  ];
}

function versionLines({
  version,
  declaredVersion,
  pages,
  chunks,
  oldestCheckAt,
  siteTitle,
  siteSummary,
  usageTerms,
  licenses,
}: SourceView['versions'][number]) {
  const shown = versionLabel(sourceLabel(version), declaredVersion);
  const name = shown === '' ? '' : `${version === '' ? '' : 'version '}${shown}: `;
  const oldest = oldestCheckAt === null ? '' : `, oldest check ${oldestCheckAt.slice(0, 10)}`;
  const said = [siteTitle, siteSummary].filter((text) => text !== null).map((text) => JSON.stringify(cleanLine(text)));
  const terms = usageTerms.map((term) => JSON.stringify(cleanLine(term)));
  return [
    `  ${name}${counted(pages, 'page')}, ${counted(chunks, 'chunk')}${oldest}`,
    ...(said.length === 0 ? [] : [`  The site says (untrusted): ${said.join(' ')}`]),
    ...(terms.length === 0 ? [] : [`  Its terms of use (untrusted): ${terms.join(' ')}`]),
    ...(licenses.length === 0
      ? []
      : [`  Its licenses (untrusted): ${licenses.map((url) => JSON.stringify(cleanLine(url))).join(' ')}`]),
  ];
}

type Status = z.output<typeof crawlStatus.output>;

export function statusText(status: Status): string {
  const { runs, source, unindexed, scheduled } = status;
  const [run] = runs;
  if (run === undefined) return 'There are no runs: nothing was crawled yet.';
  const lines = source === null ? runs.map(runLine) : runLines(run, source, status);
  return [
    ...lines,
    ...(unindexed > 0 ? [`${thousands(unindexed)} pages are stored and not searchable yet.`] : []),
    ...scheduled.map((one) => `Next run of ${sourceLabel(one.source)}: ${one.at}`),
  ].join('\n');
}

function runLine({ run, source, state, counts, reason, endedAt }: RunView): string {
  const said = endedAt === null ? [progress(counts), ...countTexts(counts, LIVE_COUNTS)] : endedCounts(counts);
  const parts = [said.join(', '), ...(reason === null ? [] : [cleanLine(reason)])];
  return `Run ${run} of ${sourceLabel(source)}: ${state}, ${parts.join('; ')}`;
}

function runLines(run: RunView, source: NonNullable<Status['source']>, status: Status): string[] {
  const { counts, startedAt, endedAt, reason } = run;
  const { unchanged, failed, excluded, 'not-found': notFound } = counts;
  const head = [`Source: ${sourceLabel(run.source)} (${cleanLine(source.startUrl)})`, `Status: ${source.status}`];
  const ended = [
    `Last crawl: ${endedAt ?? ''} (run ${run.run}, ${run.state}${reason === null ? '' : `: ${cleanLine(reason)}`})`,
    `Pages: ${endedCounts(counts).join(', ')}; ${thousands(source.pages)} stored`,
    `Chunks: ${thousands(source.chunks)} total`,
  ];
  const live = [
    `Progress: ${progress(counts)} (run ${run.run}, ${run.state})`,
    `Unchanged: ${counted(unchanged, 'page')}`,
  ];
  const times = [
    ...(startedAt === null ? [] : [`Started: ${startedAt}`]),
    ...(status.elapsedMs === null ? [] : [`Elapsed: ${duration(status.elapsedMs)}${timeLeft(run)}`]),
  ];
  const problems = status.problems.slice(0, MAX_PROBLEMS).map(({ target, message }) => {
    return `  - ${cleanLine(displayUrl(target))}: ${cleanLine(message)}`;
  });
  return [
    ...head,
    ...(endedAt === null ? live : ended),
    ...urlLines(`Failed: ${counted(failed, 'URL')}`, 'failed', failed, status),
    ...urlLines(`Not found (broken links): ${counted(notFound, 'URL')}`, 'not-found', notFound, status),
    ...urlLines(`Excluded: ${counted(excluded, 'URL')}`, 'excluded', excluded, status),
    ...otherUrlLines(status),
    ...(status.markdownVerdict === null ? [] : [`Read as: ${status.markdownVerdict}`]),
    ...(status.coverage === null ? [] : [`Coverage: ${cleanLine(coverageLine(status.coverage))}`]),
    ...(status.estimate === null ? [] : [`Estimated: ${estimateText(status.estimate)}`]),
    ...(problems.length === 0 ? [] : ['Problems:', ...problems]),
    ...times,
  ];
}

function estimateText({ pages, low, high }: NonNullable<Status['estimate']>): string {
  return `${thousands(pages)} pages (${thousands(low)} to ${thousands(high)})`;
}

const MAX_PROBLEMS = 10;

/** Outcomes that have their own list. */
const LISTED = ['failed', 'not-found', 'excluded'] as const;
type ListedOutcome = (typeof LISTED)[number];

/** A list of at most a page of URLs, with how to get the next page. */
function urlLines(heading: string, outcome: ListedOutcome, count: number, status: Status): string[] {
  const urls = status.urls.filter((one) => one.outcome === outcome);
  if (count === 0 && urls.length === 0) return [];
  const by = outcome === 'excluded' ? 'excluded by ' : '';
  const lines = urls.map(
    ({ url, reason }) => `  - ${cleanLine(displayUrl(url))}: ${by}${cleanLine(reason ?? 'unknown')}`,
  );
  return [heading, ...lines, ...moreLine(outcome, urls.length < count, status)];
}

/** The URLs of an outcome that was asked for. */
function otherUrlLines(status: Status): string[] {
  const urls = status.urls.filter(({ outcome }) => !LISTED.some((listed) => listed === outcome));
  const [first] = urls;
  if (first === undefined) return [];
  const lines = urls.map(
    ({ url, reason }) => `  - ${cleanLine(displayUrl(url))}${reason === null ? '' : `: ${cleanLine(reason)}`}`,
  );
  return [`URLs with the outcome ${first.outcome}:`, ...lines, ...moreLine(first.outcome, false, status)];
}

function moreLine(outcome: string, isCut: boolean, { nextCursor }: Status): string[] {
  if (nextCursor !== null) return [`  More: call crawl_status with outcome ${outcome} and cursor ${nextCursor}`];
  return isCut
    ? [`  More: call crawl_status with outcome ${outcome}; URLs are kept for the latest run of a source`]
    : [];
}

type Counts = RunView['counts'];

/** URLs that were requested, or are known to be fresh; one that a stopped run dropped is not. */
function done({ found, queued, dropped }: Counts): number {
  return found - queued - dropped;
}

const LIVE_COUNTS = ['failed', 'excluded'] as const;
const ENDED_COUNTS = [
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
  return outcomes.map((outcome) => `${thousands(counts[outcome])} ${OUTCOME_LABELS[outcome].label}`);
}

/** `120 of 125 crawled, 15 unchanged, 2 failed`: always how many failed, the others if there are any. */
function endedCounts(counts: Counts): string[] {
  const crawled = done(counts);
  const all = crawled === counts.found ? '' : ` of ${thousands(counts.found)}`;
  const shown = ENDED_COUNTS.filter(
    (outcome) => counts[outcome] > 0 || outcome === 'unchanged' || outcome === 'failed',
  );
  return [`${thousands(crawled)}${all} crawled`, ...countTexts(counts, shown)];
}

/** `42/120 pages crawled (35%)` */
function progress(counts: Counts): string {
  const percent = counts.found === 0 ? 0 : Math.floor((done(counts) * 100) / counts.found);
  return `${thousands(done(counts))}/${thousands(counts.found)} pages crawled (${percent}%)`;
}

function timeLeft({ etaSeconds }: RunView): string {
  return etaSeconds === null ? '' : `, about ${duration(etaSeconds * 1000)} left`;
}

/** `3m 45s` */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return [...(hours > 0 ? [`${hours}h`] : []), ...(seconds >= 60 ? [`${minutes}m`] : []), `${seconds % 60}s`].join(' ');
}

function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}
