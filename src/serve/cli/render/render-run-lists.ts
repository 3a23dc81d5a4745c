// Lists of runs for a terminal: events, URLs, problems, milestones and errors.

import type { z } from 'zod';
import type { listHosts } from '../../../actions/list-hosts.ts';
import type { EventView } from '../../../actions/list-events.ts';
import type { MilestoneView } from '../../../actions/list-milestones.ts';
import type { ProblemView } from '../../../actions/list-problems.ts';
import type { listSamples } from '../../../actions/list-samples.ts';
import type { urlDetails } from '../../../actions/url-details.ts';
import type { UrlView } from '../../../actions/list-urls.ts';
import type { recentErrors } from '../../../actions/recent-errors.ts';
import type { Cursors } from '../../../actions/support/list-range.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { pluralize } from '../../../core/model/plural.ts';
import { type OutputForm, renderColumns } from './columns.ts';
import { formatBytes, SEVERITIES } from './render-run.ts';

type ListOf<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly cursors: z.output<typeof Cursors>;
};

function olderHint({ nextBefore }: z.output<typeof Cursors>): string {
  return nextBefore === null ? '' : `There are more. Add to the same command: --before ${nextBefore}\n`;
}

export function renderProblemList({
  run,
  problems,
  cursors,
}: ListOf<'problems', ProblemView> & { run: number | null }) {
  if (problems.length === 0) return 'No problems.\n';
  const lines = problems.map(({ run: of, severity, target, message, times, lastAt }) => {
    const often = times > 1 ? ` (${times} times)` : '';
    const where = run === null ? `${lastAt}  run ${of}  ` : '  ';
    return `${where}${SEVERITIES[severity]}: ${displayUrl(target)}: ${message}${often}\n`;
  });
  return lines.join('') + olderHint(cursors);
}

export function renderMilestones({ milestones, cursors }: ListOf<'milestones', MilestoneView>): string {
  if (milestones.length === 0) return 'No milestones yet.\n';
  const lines = milestones.map(({ ts, run, kind, message, details }) => {
    const facts = Object.entries(details).map(([name, value]) => `${name}=${textOf(value)}`);
    return `${[ts, `run ${run}`, kind, message, ...facts].join('  ')}\n`;
  });
  return lines.join('') + olderHint(cursors);
}

export function renderErrors({ since, errors, isComplete }: z.output<typeof recentErrors.output>): string {
  if (errors.length === 0) return `Nothing failed since ${since}.\n`;
  const lines = errors.map(
    ({ reason, host, times, lastAt, run, example }) =>
      `${pluralize(times, 'URL')} of ${host}: ${reason}\n  last at ${lastAt} in run ${run}: ${displayUrl(example)}\n`,
  );
  return lines.join('') + (isComplete ? '' : 'Only the newest failures are counted.\n');
}

export function renderEvents({ events, cursors }: ListOf<'events', EventView>): string {
  if (events.length === 0) return 'No events yet.\n';
  return events
    .map(({ seq, at, run, kind, url, detail }) => {
      const facts = Object.entries(detail).map(([name, value]) => `${name}=${textOf(value)}`);
      return [String(seq), at, `run ${run}`, kind, displayUrl(url ?? ''), ...facts]
        .filter((part) => part !== '')
        .join('  ');
    })
    .map((line) => `${line}\n`)
    .join('')
    .concat(olderHint(cursors));
}

const SAMPLE_COLUMNS = [
  { title: 'At' },
  ...['Found', 'Queue', 'Stored', 'Failed', 'Requests/s', 'Received/s'].map((title) => ({
    title,
    align: 'right' as const,
  })),
];

export function renderSamples({ samples }: z.output<typeof listSamples.output>, form: OutputForm): string {
  if (samples.length === 0) return 'No samples yet: the first is taken after ten seconds.\n';
  const rows = samples.map((one) => [
    one.at,
    ...[one.found, one.queueSize, one.stored, one.failed].map(String),
    one.requestsPerSec === null ? '' : String(one.requestsPerSec),
    one.bytesPerSec === null ? '' : formatBytes(one.bytesPerSec),
  ]);
  return renderColumns(SAMPLE_COLUMNS, rows, form);
}

const HOST_COLUMNS = [
  { title: 'Host', shrinks: true as const },
  ...['Pages', 'Requests', 'Errors', 'Received', 'Last status', 'Requests/min', 'Delay'].map((title) => ({
    title,
    align: 'right' as const,
  })),
];

export function renderHosts({ hosts }: z.output<typeof listHosts.output>, form: OutputForm): string {
  if (hosts.length === 0) return 'No host was requested.\n';
  const rows = hosts.map((one) => [
    one.host,
    ...[one.pages, one.requests, one.errors].map(String),
    formatBytes(one.bytes),
    one.lastStatus === null ? '' : String(one.lastStatus),
    String(one.rpm),
    `${one.delayMs} ms`,
  ]);
  return renderColumns(HOST_COLUMNS, rows, form);
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

export function renderUrlDetails({ url, found }: z.output<typeof urlDetails.output>): string {
  if (found.length === 0) return `No source has found ${url}\n`;
  return found.map((one) => `${urlLines(one).join('\n')}\n`).join('\n');
}

type UrlInSource = z.output<typeof urlDetails.output>['found'][number];

function urlLines(one: UrlInSource): string[] {
  const { source, version, run, state, outcome, reason, foundBy, parent, depth, page, fetches } = one;
  const name = version === '' ? source : `${source} ${version}`;
  return [
    `${name}: ${outcome ?? state}${reason === null ? '' : `: ${reason}`} (run ${run})`,
    `  found by ${foundBy}${parent === null ? '' : ` on ${parent}`}, depth ${depth}`,
    ...one.writtenAs.map((alias) => `  also written ${alias}`),
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
