// The content of the library, for a terminal: its sources and their health, the pages of a source, and one page with its history
// and the pages that link to it.

import type { z } from 'zod';
import type { listBacklinks } from '../../../actions/list-backlinks.ts';
import type { listProjects } from '../../../actions/list-projects.ts';
import type { showGrowth } from '../../../actions/show-growth.ts';
import type { LibraryStats, SourceStats } from '../../../actions/show-stats.ts';
import type { listPages } from '../../../actions/list-pages.ts';
import type { listSources } from '../../../actions/list-sources.ts';
import type { Health } from '../../../actions/show-health.ts';
import type { RevisionDiff, listRevisions } from '../../../actions/list-revisions.ts';
import type { ChunkView, PageDetail } from '../../../actions/show-page.ts';
import { shortChunkId } from '../../../core/chunk/chunk-names.ts';
import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { versionLabel } from '../../../core/model/declared-version.ts';
import { formatBytes, pluralize } from '../../../core/text/plural.ts';
import { TERMINAL } from '../../text/readers.table.ts';
import { formatTime, sourceRows } from '../../text/source-text.ts';
import { renderFields, renderRows, truncateToWidth, type OutputFormat, type Row } from './columns.ts';
import { paint, type Color } from './paint.ts';
import { moreHint } from './render-run-lists.ts';

export function renderSources(result: z.output<typeof listSources.output>, format: OutputFormat): string {
  const { sources, nextCursor } = result;
  if (sources.length === 0) return `${TERMINAL.emptyLibrary}\n`;
  const reasons = sources.flatMap(({ source, reason }) =>
    reason === null ? [] : [`${source}: ${cleanLine(reason)}\n`],
  );
  const notes = reasons.length === 0 ? '' : `\n${reasons.join('')}`;
  return renderRows(sourceRows(sources), format) + notes + moreHint(nextCursor);
}

export function renderStats(health: LibraryStats, format: OutputFormat): string {
  const { database, bytes, unindexed, spaces, webhooks, sources } = health;
  const fields = renderFields(
    [
      ['Database', bytes === null ? database : `${database}, ${formatBytes(bytes)}`],
      ['Not searchable yet', unindexed === 0 ? '' : pluralize(unindexed, 'page')],
      ...spaces.map(
        ({ space, embedded, pending, failed }) =>
          ['Vectors', `${embedded} embedded, ${pending} waiting, ${failed} failed (${space})`] as const,
      ),
      ...webhooks.map(
        ({ webhook, state, failures, lastFailure }) =>
          [
            'Webhook',
            `${webhook} is ${state}: ${pluralize(failures, 'failed attempt')}, ${lastFailure ?? ''}`,
          ] as const,
      ),
    ],
    format,
  );
  if (sources.length === 0) return `${fields}${TERMINAL.emptyLibrary}\n`;
  return `${fields}\n${renderRows(sources.flatMap(healthRows), format)}`;
}

export function renderHealth(health: Health, format: OutputFormat): string {
  const { problems, sources, database, disk, process: own, crawl, embedding, index } = health;
  const log = database.walBytes === null ? '' : `, log ${formatBytes(database.walBytes)}`;
  const queue = `${pluralize(crawl.running, 'running run')}, ${crawl.paused} paused, ${pluralize(crawl.queueSize, 'URL')} queued`;
  const lag = index.unindexed === 0 ? 'up to date' : `${pluralize(index.unindexed, 'page')} waiting`;
  const vectors = embedding.state === 'off' ? '' : `, ${embedding.pending} waiting, ${embedding.failed} failed`;
  const fields = renderFields(
    [
      ['Sources', `${sources.total}${sources.failed === 0 ? '' : `, ${sources.failed} failed`}`],
      ['Database', `${database.kind}, ${formatBytes(database.bytes)}${log}`],
      ['Disk', disk?.freeBytes == null ? '' : `${formatBytes(disk.freeBytes)} free`],
      [
        'Process',
        `pinakes ${own.version}, ${formatBytes(own.rss)}, ${Math.round(own.cpuUser + own.cpuSystem)} s of CPU time`,
      ],
      ['Crawl', queue],
      ['Index', `${index.backend}, ${index.state}, ${lag}`],
      ['Embedding', `${embedding.state}${vectors}`],
    ],
    format,
  );
  const verdict = problems.length === 0 ? 'Everything works.\n' : problems.map((problem) => `${problem}.\n`).join('');
  return `${fields}\n${verdict}`;
}

function healthRows({ source, versions, run, nextRunAt }: SourceStats): Row[] {
  return versions.map(({ version, declaredVersion, pages, duplicates, chunks, oldestCheckAt }) => ({
    Source: source,
    Version: versionLabel(version, declaredVersion),
    Pages: pages,
    Duplicates: duplicates,
    Chunks: chunks,
    'Oldest check': formatTime(oldestCheckAt),
    'Last run': run?.state ?? 'never',
    'Next run': formatTime(nextRunAt),
  }));
}

export function renderPageList({ pages, nextCursor }: z.output<typeof listPages.output>, format: OutputFormat): string {
  if (pages.length === 0) return 'No matching pages.\n';
  const rows = pages.map(({ url, title, pageKind, chunks, changedAt, checkedAt }) => ({
    URL: displayUrl(url),
    Title: title,
    Kind: pageKind,
    Chunks: chunks,
    Changed: formatTime(changedAt),
    Checked: formatTime(checkedAt),
  }));
  return renderRows(rows, format) + moreHint(nextCursor);
}

const MAX_LINKS = 20;

/** Everything except the text, which `read` prints. */
export function renderPage(page: PageDetail, format: OutputFormat): string {
  const { links, chunkList, aliases, url, source } = page;
  const more = links.length > MAX_LINKS ? `and ${links.length - MAX_LINKS} more: --json shows all\n` : '';
  const shown = links.slice(0, MAX_LINKS).map((link) => ({ 'Links to': displayUrl(link.url), Text: link.text }));
  const otherUrls = aliases.map((alias) => ({ 'Other URLs': displayUrl(alias) }));
  return [
    renderFields(pageFields(page), format),
    ...(chunkList.length === 0 ? [] : [renderChunks(chunkList, format)]),
    ...(otherUrls.length === 0 ? [] : [renderRows(otherUrls, format)]),
    ...(shown.length === 0 ? [] : [renderRows(shown, format) + more]),
    `Its text: pinakes read ${displayUrl(url)} --source ${source}\n`,
  ].join('\n');
}

function analysisFields({ analysis }: PageDetail): ReadonlyArray<readonly [string, string]> {
  if (analysis === null) return [];
  return [
    ['Section', analysis.section ?? ''],
    ['Key phrases', analysis.keyPhrases.join(', ')],
  ];
}

function pageFields(page: PageDetail): ReadonlyArray<readonly [string, string]> {
  const { found, responseMeta, pageKind, confidence } = page;
  const response =
    responseMeta === null
      ? ''
      : `${responseMeta.status}, ${formatBytes(responseMeta.wireBytes)} in ${responseMeta.totalMs} ms`;
  const on = found === null || found.on === null ? '' : ` on ${found.on}`;
  return [
    ['Title', page.title],
    ['URL', displayUrl(page.url)],
    ['Source', `${page.source} ${page.version}`],
    ['Description', page.description ?? ''],
    ['Kind', pageKind === null ? '' : `${pageKind}${confidence === null ? '' : ` (confidence ${confidence})`}`],
    ...analysisFields(page),
    ['Language', page.language ?? ''],
    ['Media type', page.mediaType],
    ['Changed', formatTime(page.changedAt)],
    ['Checked', formatTime(page.checkedAt)],
    ['Found by', found === null ? '' : `${found.by}${on}, depth ${found.depth}`],
    ['Response', response],
    ['Stored body', page.body === null ? '' : `${formatBytes(page.body.bytes)} (${page.body.encoding})`],
    ['Content hash', page.contentHash],
  ];
}

function renderChunks(chunks: readonly ChunkView[], format: OutputFormat): string {
  const rows = chunks.map(({ id, passageKind, lines, tokens, headings }) => ({
    Chunk: shortChunkId(id),
    Kind: passageKind,
    Lines: `${lines.first}–${lines.last}`,
    Tokens: tokens,
    Headings: headings.join(' › '),
  }));
  return renderRows(rows, format);
}

export function renderBacklinks({ pages }: z.output<typeof listBacklinks.output>, format: OutputFormat): string {
  if (pages.length === 0) return 'No page of the source links to it.\n';
  return renderRows(
    pages.map(({ url, title }) => ({ URL: displayUrl(url), Title: title })),
    format,
  );
}

export function renderRevisions(history: z.output<typeof listRevisions.output>, format: OutputFormat): string {
  const { url, changes, removed } = history;
  if (removed !== null)
    return `${displayUrl(url)} was removed ${formatTime(removed.at)}. ${removed.text === null ? 'Its last text was too long to keep.' : `Its last text:\n\n${removed.text}`}\n`;
  if (changes.length === 0) return `${displayUrl(url)} has not changed since it was first stored.\n`;
  return `${displayUrl(url)}\n${changes.map((change) => renderChange(change, format)).join('')}`;
}

function renderChange({ at, since, isReprocessed, diff }: RevisionDiff, format: OutputFormat): string {
  const counts =
    diff === null ? 'too long to compare' : `${pluralize(diff.added, 'line')} added, ${diff.removed} removed`;
  const reprocessed = isReprocessed ? '; extracted by another version of Pinakes' : '';
  const heading = `${formatTime(at)}  ${counts} since ${formatTime(since)}${reprocessed}`;
  const hunks = (diff?.hunks ?? []).map(
    ({ before, after, lines }) =>
      `  @@ -${before} +${after} @@\n${lines.map((line) => renderDiffLine(line, format)).join('')}`,
  );
  const cut = diff?.isTruncated === true ? '  … more lines changed than are shown\n' : '';
  return `\n${paint(heading, 'bold', format.colors)}\n${hunks.join('')}${cut}`;
}

type DiffLine = NonNullable<RevisionDiff['diff']>['hunks'][number]['lines'][number];

const DIFF_MARKS: Readonly<Record<DiffLine['kind'], readonly [mark: string, color: Color]>> = {
  same: [' ', 'dim'],
  added: ['+', 'green'],
  removed: ['-', 'red'],
};

function renderDiffLine({ kind, text }: DiffLine, { width, colors }: OutputFormat): string {
  const [mark, color] = DIFF_MARKS[kind];
  const line = `  ${mark}${text}`;
  return `${paint(width === null ? line : truncateToWidth(line, width), color, colors)}\n`;
}

export function renderProjects({ projects }: z.output<typeof listProjects.output>, format: OutputFormat): string {
  if (projects.length === 0) return 'No project was synced. In the folder of one: pinakes sync\n';
  return projects
    .map(({ folder, packages }) => {
      const rows = packages.map(({ source, version, pages }) => ({ Package: source, Version: version, Pages: pages }));
      return `${folder}, ${pluralize(packages.length, 'package')}\n${renderRows(rows, format)}`;
    })
    .join('\n');
}

export function renderGrowth({ days }: z.output<typeof showGrowth.output>, format: OutputFormat): string {
  if (days.length === 0) return 'No size was recorded yet: runs do.\n';
  const rows = days.map(({ day, pages, chunks, receivedBytes, databaseBytes }) => ({
    Day: day,
    Pages: pages,
    Chunks: chunks,
    Received: formatBytes(receivedBytes),
    Database: databaseBytes === null ? null : formatBytes(databaseBytes),
  }));
  return renderRows(rows, format);
}
