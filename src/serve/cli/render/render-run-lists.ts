// Lists of runs for a terminal: events, URLs, problems, milestones, errors and analyses.

import type { z } from 'zod';
import type { listHosts } from '../../../actions/list-hosts.ts';
import type { EventView, MilestoneView, ProblemView } from '../../../actions/list-journal.ts';
import type { AnalysisView, listAnalyses, showAnalysis } from '../../../actions/analysis-runs.ts';
import type { listSamples } from '../../../actions/list-samples.ts';
import type { showUrl } from '../../../actions/show-url.ts';
import type { UrlView } from '../../../actions/list-urls.ts';
import type { listFailures } from '../../../actions/list-failures.ts';
import type { Cursors } from '../../../actions/support/list-range.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { formatBytes, pluralize } from '../../../core/text/plural.ts';
import { problemText } from '../../text/run-text.ts';
import { type OutputFormat, renderRows } from './columns.ts';
import { olderHint } from './render-default.ts';

type ListOf<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly cursors: z.output<typeof Cursors>;
};

export function renderProblemList({
  run,
  problems,
  cursors,
}: ListOf<'problems', ProblemView> & { run: number | null }) {
  if (problems.length === 0) return 'No problems.\n';
  const lines = problems.map((problem) => {
    const where = run === null ? `${problem.lastAt}  run ${problem.run}` : '';
    return `${where}  ${problemText(problem)}\n`;
  });
  return lines.join('') + olderHint(cursors);
}

export function renderMilestones({ milestones, cursors }: ListOf<'milestones', MilestoneView>): string {
  if (milestones.length === 0) return 'No milestones yet.\n';
  const lines = milestones.map(({ ts, run, job, kind, message, details }) => {
    const fields = Object.entries(details).map(([name, value]) => `${name}=${textOf(value)}`);
    return `${[ts, run === null ? job : `run ${run}`, kind, message, ...fields].join('  ')}\n`;
  });
  return lines.join('') + olderHint(cursors);
}

export function renderFailures({ since, failures, isTruncated }: z.output<typeof listFailures.output>): string {
  if (failures.length === 0) return `Nothing failed since ${since}.\n`;
  const lines = failures.map(
    ({ outcome, reason, host, count, lastAt, run, example }) =>
      `${pluralize(count, 'URL')} of ${host}: ${outcome === 'retry' ? 'retried after' : outcome}: ${reason}\n  last at ${lastAt} in run ${run}: ${displayUrl(example)}\n`,
  );
  return lines.join('') + (isTruncated ? 'Only the newest failures are counted.\n' : '');
}

export function renderEvents({ events, cursors }: ListOf<'events', EventView>): string {
  if (events.length === 0) return 'No events yet.\n';
  return events
    .map(({ seq, at, run, kind, url, detail }) => {
      const fields = Object.entries(detail).map(([name, value]) => `${name}=${textOf(value)}`);
      return [String(seq), at, `run ${run}`, kind, displayUrl(url ?? ''), ...fields]
        .filter((part) => part !== '')
        .join('  ');
    })
    .map((line) => `${line}\n`)
    .join('')
    .concat(olderHint(cursors));
}

export function renderSamples({ samples }: z.output<typeof listSamples.output>, format: OutputFormat): string {
  if (samples.length === 0) return 'No samples yet: the first is taken after ten seconds.\n';
  const rows = samples.map((one) => ({
    At: one.at,
    Found: one.found,
    Queue: one.queued,
    Stored: one.stored,
    Failed: one.failed,
    'Requests/s': one.requestsPerSec,
    'Received/s': one.bytesPerSec === null ? null : formatBytes(one.bytesPerSec),
  }));
  return renderRows(rows, format);
}

export function renderHosts({ hosts }: z.output<typeof listHosts.output>, format: OutputFormat): string {
  if (hosts.length === 0) return 'No host was requested.\n';
  const rows = hosts.map((one) => ({
    Host: one.host,
    Pages: one.pages,
    Requests: one.requests,
    Errors: one.errors,
    Received: formatBytes(one.bytes),
    'Last status': one.lastStatus,
    'Requests/min': one.rpm,
    Delay: `${one.delayMs} ms`,
  }));
  return renderRows(rows, format);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function renderUrls({ urls, nextCursor }: { urls: readonly UrlView[]; nextCursor: string | null }): string {
  if (urls.length === 0) return 'No matching URLs.\n';
  const lines = urls.map(({ url, state, outcome, reason, foundBy }) => {
    const why = reason === null ? '' : `: ${reason}`;
    return `${outcome ?? state}${why}  ${displayUrl(url)}  (${foundBy})\n`;
  });
  return lines.join('') + moreHint(nextCursor);
}

export function renderUrl({ url, occurrences }: z.output<typeof showUrl.output>): string {
  if (occurrences.length === 0) return `No source has found ${url}\n`;
  return occurrences.map((one) => `${urlLines(one).join('\n')}\n`).join('\n');
}

type UrlInSource = z.output<typeof showUrl.output>['occurrences'][number];

function urlLines(one: UrlInSource): string[] {
  const { source, version, run, state, outcome, reason, foundBy, parent, depth, page, fetches } = one;
  const name = version === '' ? source : `${source} ${version}`;
  return [
    `${name}: ${outcome ?? state}${reason === null ? '' : `: ${reason}`} (run ${run})`,
    `  found by ${foundBy}${parent === null ? '' : ` on ${parent}`}, depth ${depth}`,
    ...one.rawUrls.map((rawUrl) => `  also written ${rawUrl}`),
    page === null
      ? '  no page is stored'
      : `  page: ${page.title}, ${pluralize(page.chunks, 'chunk')}, checked ${page.checkedAt}, changed ${page.changedAt}`,
    ...(page?.aliases ?? []).map((alias) => `  alias ${alias}`),
    ...fetches.map((fetch) => `  ${fetchLine(fetch)}`),
  ];
}

function fetchLine({ at, run, status, bytes, mediaType, totalMs, error }: UrlInSource['fetches'][number]): string {
  const answer = [status === null ? 'no answer' : `status ${status}`, ...(error === null ? [] : [error])];
  const size = mediaType === null ? [] : [mediaType, formatBytes(bytes)];
  return [`${at}  run ${run}  ${answer.join(' ')}`, ...size, ...(totalMs === null ? [] : [`${totalMs} ms`])].join(', ');
}

/** Without the command, whose other flags must be repeated too. */
export function moreHint(nextCursor: string | null): string {
  return nextCursor === null ? '' : `There are more. Add to the same command: --cursor ${nextCursor}\n`;
}

export function renderAnalyses({ items, total }: z.output<typeof listAnalyses.output>): string {
  if (items.length === 0) return 'No analysis runs yet. Start one: pinakes analyze\n';
  const more = total > items.length ? `${total - items.length} older ones: --offset ${items.length}\n` : '';
  return `${items.map(runLine).join('')}${more}`;
}

export function renderAnalysis({ run, events }: z.output<typeof showAnalysis.output>): string {
  const lines = events.toReversed().map(({ ts, stage, message, details }) => {
    const fields = details === null ? '' : `  ${JSON.stringify(details)}`;
    return `  ${ts}  ${stage}  ${message}${fields}\n`;
  });
  return `${runLine(run)}${lines.join('')}`;
}

function runLine({ id, status, stage, startedAt, durationMs, summary, error }: AnalysisView): string {
  const highlights = summary?.['analysisHighlights'];
  const shown = Array.isArray(highlights) && highlights.length > 0 ? highlights.join(', ') : 'nothing new';
  const outcome = error ?? (status === 'completed' ? shown : stage);
  return `${id}  ${status}  ${startedAt}  ${(durationMs / 1000).toFixed(1)} s  ${outcome}\n`;
}
