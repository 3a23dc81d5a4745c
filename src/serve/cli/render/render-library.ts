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
import { pluralize } from '../../../core/text/plural.ts';
import { renderColumns, renderFields, truncateToWidth, type OutputFormat } from './columns.ts';
import { paint, type Color } from './paint.ts';
import { formatBytes } from './render-run.ts';
import { moreHint } from './render-run-lists.ts';

export const EMPTY_LIBRARY = 'The library is empty. Start with: pinakes add https://docs.example.dev --wait\n';

/** `2026-03-01 14:05`, in UTC. */
function formatTime(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 16).replace('T', ' ');
}

export function renderSources(result: z.output<typeof listSources.output>, format: OutputFormat): string {
  const { sources, nextCursor } = result;
  if (sources.length === 0) return EMPTY_LIBRARY;
  const rows = sources.flatMap(({ source, startUrl, status, versions, nextRunAt }) =>
    versions.map(({ version, declaredVersion, pages }) => [
      source,
      versionLabel(version, declaredVersion),
      status,
      String(pages),
      formatTime(nextRunAt),
      startUrl,
    ]),
  );
  const columns = [
    { title: 'Source', shrinks: true },
    { title: 'Version' },
    { title: 'Status' },
    { title: 'Pages', align: 'right' },
    { title: 'Next run' },
    { title: 'Start', shrinks: true },
  ] as const;
  const reasons = sources.flatMap(({ source, reason }) =>
    reason === null ? [] : [`${source}: ${cleanLine(reason)}\n`],
  );
  const notes = reasons.length === 0 ? '' : `\n${reasons.join('')}`;
  return renderColumns(columns, rows, format) + notes + moreHint(nextCursor);
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
  if (sources.length === 0) return fields + EMPTY_LIBRARY;
  const columns = [
    { title: 'Source', shrinks: true },
    { title: 'Version' },
    { title: 'Pages', align: 'right' },
    { title: 'Duplicates', align: 'right' },
    { title: 'Chunks', align: 'right' },
    { title: 'Oldest check' },
    { title: 'Last run' },
    { title: 'Next run' },
  ] as const;
  return `${fields}\n${renderColumns(columns, sources.flatMap(healthRows), format)}`;
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

function healthRows({ source, versions, run, nextRunAt }: SourceStats): string[][] {
  return versions.map(({ version, declaredVersion, pages, duplicates, chunks, oldestCheckAt }) => [
    source,
    versionLabel(version, declaredVersion),
    ...[pages, duplicates, chunks].map(String),
    formatTime(oldestCheckAt),
    run?.state ?? 'never',
    formatTime(nextRunAt),
  ]);
}

export function renderPageList({ pages, nextCursor }: z.output<typeof listPages.output>, format: OutputFormat): string {
  if (pages.length === 0) return 'No matching pages.\n';
  const columns = [
    { title: 'URL', shrinks: true },
    { title: 'Title', shrinks: true },
    { title: 'Kind' },
    { title: 'Chunks', align: 'right' },
    { title: 'Changed' },
    { title: 'Checked' },
  ] as const;
  const rows = pages.map(({ url, title, pageKind, chunks, changedAt, checkedAt }) => [
    displayUrl(url),
    title,
    pageKind ?? '',
    String(chunks),
    formatTime(changedAt),
    formatTime(checkedAt),
  ]);
  return renderColumns(columns, rows, format) + moreHint(nextCursor);
}

const MAX_LINKS = 20;

/** Everything except the text, which `read` prints. */
export function renderPage(page: PageDetail, format: OutputFormat): string {
  const { links, chunkList, aliases, url, source } = page;
  const more = links.length > MAX_LINKS ? `and ${links.length - MAX_LINKS} more: --json shows all\n` : '';
  const shown = links.slice(0, MAX_LINKS).map((link) => [displayUrl(link.url), link.text]);
  const linkColumns = [
    { title: 'Links to', shrinks: true },
    { title: 'Text', shrinks: true },
  ] as const;
  return [
    renderFields(pageFields(page), format),
    ...(chunkList.length === 0 ? [] : [renderChunks(chunkList, format)]),
    ...(aliases.length === 0
      ? []
      : [
          renderColumns(
            [{ title: 'Other URLs', shrinks: true }],
            aliases.map((alias) => [displayUrl(alias)]),
            format,
          ),
        ]),
    ...(shown.length === 0 ? [] : [renderColumns(linkColumns, shown, format) + more]),
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
  const columns = [
    { title: 'Chunk' },
    { title: 'Kind' },
    { title: 'Lines' },
    { title: 'Tokens', align: 'right' },
    { title: 'Headings', shrinks: true },
  ] as const;
  const rows = chunks.map(({ id, passageKind, lines, tokens, headings }) => [
    shortChunkId(id),
    passageKind,
    `${lines.first}–${lines.last}`,
    String(tokens),
    headings.join(' › '),
  ]);
  return renderColumns(columns, rows, format);
}

export function renderBacklinks({ pages }: z.output<typeof listBacklinks.output>, format: OutputFormat): string {
  if (pages.length === 0) return 'No page of the source links to it.\n';
  const columns = [
    { title: 'URL', shrinks: true },
    { title: 'Title', shrinks: true },
  ] as const;
  return renderColumns(
    columns,
    pages.map(({ url, title }) => [displayUrl(url), title]),
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
  const columns = [
    { title: 'Package', shrinks: true },
    { title: 'Version' },
    { title: 'Pages', align: 'right' },
  ] as const;
  return projects
    .map(({ folder, packages }) => {
      const rows = packages.map(({ source, version, pages }) => [source, version, String(pages)]);
      return `${folder}, ${pluralize(packages.length, 'package')}\n${renderColumns(columns, rows, format)}`;
    })
    .join('\n');
}

export function renderGrowth({ days }: z.output<typeof showGrowth.output>, format: OutputFormat): string {
  if (days.length === 0) return 'No size was recorded yet: runs do.\n';
  const rows = days.map(({ day, pages, chunks, receivedBytes, databaseBytes }) => {
    const sizes = [formatBytes(receivedBytes), databaseBytes === null ? '' : formatBytes(databaseBytes)];
    return [day, String(pages), String(chunks), ...sizes];
  });
  const numbers = ['Pages', 'Chunks', 'Received', 'Database'].map((title) => ({ title, align: 'right' as const }));
  return renderColumns([{ title: 'Day' }, ...numbers], rows, format);
}
