// What the library holds, for a terminal: its sources and their health, the pages of a source, and one page with its history
// and the pages that link to it.

import type { z } from 'zod';
import type { backlinks } from '../../../actions/backlinks.ts';
import type { libraryGrowth } from '../../../actions/library-growth.ts';
import type { LibraryHealth, SourceHealth } from '../../../actions/library-health.ts';
import type { listPages } from '../../../actions/list-pages.ts';
import type { listSources } from '../../../actions/list-sources.ts';
import type { SystemHealth } from '../../../actions/system-health.ts';
import type { PageChange, pageHistory } from '../../../actions/page-history.ts';
import type { ChunkView, PageDetail } from '../../../actions/show-page.ts';
import { shortChunkId } from '../../../core/chunk/chunk-names.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { versionLabel } from '../../../core/model/declared-version.ts';
import { pluralize } from '../../../core/model/plural.ts';
import { renderColumns, renderFields, truncateToWidth, type OutputForm } from './columns.ts';
import { paint, type Color } from './paint.ts';
import { formatBytes } from './render-run.ts';
import { moreHint } from './render-run-lists.ts';

export const EMPTY_LIBRARY = 'The library is empty. Start with: pinakes add https://docs.example.dev --wait\n';

/** `2026-03-01 14:05`, in UTC. */
function formatTime(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 16).replace('T', ' ');
}

export function renderSources({ sources }: z.output<typeof listSources.output>, form: OutputForm): string {
  if (sources.length === 0) return EMPTY_LIBRARY;
  const rows = sources.flatMap(({ source, start, status, versions, nextRunAt }) =>
    versions.map(({ version, declaredVersion, pages }) => [
      source,
      versionLabel(version, declaredVersion),
      status,
      String(pages),
      formatTime(nextRunAt),
      start,
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
  return renderColumns(columns, rows, form);
}

export function renderHealth(health: LibraryHealth, form: OutputForm): string {
  const { engine, bytes, unindexed, spaces, webhooks, sources } = health;
  const fields = renderFields(
    [
      ['Database', `${engine}, ${formatBytes(bytes)}`],
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
    form,
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
  return `${fields}\n${renderColumns(columns, sources.flatMap(healthRows), form)}`;
}

export function renderSystemHealth(health: SystemHealth, form: OutputForm): string {
  const { problems, database, disk, process: own, crawl, embedding, index } = health;
  const log = database.walBytes === null ? '' : `, log ${formatBytes(database.walBytes)}`;
  const queue = `${pluralize(crawl.running, 'running run')}, ${crawl.paused} paused, ${pluralize(crawl.queueSize, 'URL')} queued`;
  const lag = index.unindexed === 0 ? 'up to date' : `${pluralize(index.unindexed, 'page')} waiting`;
  const vectors = embedding.state === 'off' ? '' : `, ${embedding.pending} waiting, ${embedding.failed} failed`;
  const fields = renderFields(
    [
      ['Database', `${database.engine}, ${formatBytes(database.bytes)}${log}`],
      ['Disk', disk?.freeBytes == null ? '' : `${formatBytes(disk.freeBytes)} free`],
      [
        'Process',
        `pinakes ${own.version}, ${formatBytes(own.rss)}, ${Math.round(own.cpuUser + own.cpuSystem)} s of processor time`,
      ],
      ['Crawl', queue],
      ['Index', `${index.engine}, ${index.state}, ${lag}`],
      ['Embedding', `${embedding.state}${vectors}`],
    ],
    form,
  );
  const verdict = problems.length === 0 ? 'Everything works.\n' : problems.map((problem) => `${problem}.\n`).join('');
  return `${fields}\n${verdict}`;
}

function healthRows({ source, versions, run, nextRunAt }: SourceHealth): string[][] {
  return versions.map(({ version, declaredVersion, pages, duplicates, chunks, oldestCheckAt }) => [
    source,
    versionLabel(version, declaredVersion),
    ...[pages, duplicates, chunks].map(String),
    formatTime(oldestCheckAt),
    run?.state ?? 'never',
    formatTime(nextRunAt),
  ]);
}

export function renderPageList({ pages, nextCursor }: z.output<typeof listPages.output>, form: OutputForm): string {
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
  return renderColumns(columns, rows, form) + moreHint(nextCursor);
}

const MAX_LINKS = 20;

/** Everything except the text, which `read` prints. */
export function renderPage(page: PageDetail, form: OutputForm): string {
  const { links, chunkList, aliases, url, source } = page;
  const more = links.length > MAX_LINKS ? `and ${links.length - MAX_LINKS} more: --json shows all\n` : '';
  const shown = links.slice(0, MAX_LINKS).map((link) => [displayUrl(link.url), link.text]);
  const linkColumns = [
    { title: 'Links to', shrinks: true },
    { title: 'Text', shrinks: true },
  ] as const;
  return [
    renderFields(pageFields(page), form),
    ...(chunkList.length === 0 ? [] : [renderChunks(chunkList, form)]),
    ...(aliases.length === 0
      ? []
      : [
          renderColumns(
            [{ title: 'Other URLs', shrinks: true }],
            aliases.map((alias) => [displayUrl(alias)]),
            form,
          ),
        ]),
    ...(shown.length === 0 ? [] : [renderColumns(linkColumns, shown, form) + more]),
    `Its text: pinakes read ${displayUrl(url)} --source ${source}\n`,
  ].join('\n');
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

function renderChunks(chunks: readonly ChunkView[], form: OutputForm): string {
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
  return renderColumns(columns, rows, form);
}

export function renderBacklinks({ pages }: z.output<typeof backlinks.output>, form: OutputForm): string {
  if (pages.length === 0) return 'No page of the source links to it.\n';
  const columns = [
    { title: 'URL', shrinks: true },
    { title: 'Title', shrinks: true },
  ] as const;
  return renderColumns(
    columns,
    pages.map(({ url, title }) => [displayUrl(url), title]),
    form,
  );
}

export function renderHistory(history: z.output<typeof pageHistory.output>, form: OutputForm): string {
  const { url, changes, removed } = history;
  if (removed !== null)
    return `${displayUrl(url)} was removed ${formatTime(removed.at)}. ${removed.text === null ? 'Its last text was too long to keep.' : `Its last text:\n\n${removed.text}`}\n`;
  if (changes.length === 0) return `${displayUrl(url)} has not changed since it was first stored.\n`;
  return `${displayUrl(url)}\n${changes.map((change) => renderChange(change, form)).join('')}`;
}

function renderChange({ at, since, isReprocessed, diff }: PageChange, form: OutputForm): string {
  const counts =
    diff === null ? 'too long to compare' : `${pluralize(diff.added, 'line')} added, ${diff.removed} removed`;
  const reprocessed = isReprocessed ? '; extracted by another version of Pinakes' : '';
  const heading = `${formatTime(at)}  ${counts} since ${formatTime(since)}${reprocessed}`;
  const hunks = (diff?.hunks ?? []).map(
    ({ before, after, lines }) =>
      `  @@ -${before} +${after} @@\n${lines.map((line) => renderDiffLine(line, form)).join('')}`,
  );
  const cut = diff?.isCut === true ? '  … more lines changed than are shown\n' : '';
  return `\n${paint(heading, 'bold', form.colors)}\n${hunks.join('')}${cut}`;
}

type DiffLine = NonNullable<PageChange['diff']>['hunks'][number]['lines'][number];

const DIFF_MARKS: Readonly<Record<DiffLine['kind'], readonly [mark: string, color: Color]>> = {
  same: [' ', 'dim'],
  added: ['+', 'green'],
  removed: ['-', 'red'],
};

function renderDiffLine({ kind, text }: DiffLine, { width, colors }: OutputForm): string {
  const [mark, color] = DIFF_MARKS[kind];
  const line = `  ${mark}${text}`;
  return `${paint(width === null ? line : truncateToWidth(line, width), color, colors)}\n`;
}

export function renderGrowth({ days }: z.output<typeof libraryGrowth.output>, form: OutputForm): string {
  if (days.length === 0) return 'No size was recorded yet: runs do.\n';
  const rows = days.map(({ day, pages, chunks, receivedBytes, databaseBytes }) => {
    const sizes = [formatBytes(receivedBytes), databaseBytes === null ? '' : formatBytes(databaseBytes)];
    return [day, String(pages), String(chunks), ...sizes];
  });
  const numbers = ['Pages', 'Chunks', 'Received', 'Database'].map((title) => ({ title, align: 'right' as const }));
  return renderColumns([{ title: 'Day' }, ...numbers], rows, form);
}
