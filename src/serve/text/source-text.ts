// Sources in words, and as the rows of a table.

import type { SourceView } from '../../actions/list-sources.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import { versionLabel } from '../../core/model/declared-version.ts';
import { sourceLabel } from '../../core/model/source-name.ts';
import { pluralize } from '../../core/text/plural.ts';

type VersionView = SourceView['versions'][number];

const MAX_LISTED_SOURCES = 100;

/** One line for a source and its version, then what the site says about itself, in quotation marks. */
export function sourcesText(sources: readonly SourceView[], total: number): string {
  const shown = sources.slice(0, MAX_LISTED_SOURCES);
  const lines = shown.flatMap((source) => [
    `- ${sourceLabel(source.source)}: ${[source.status, ...sourceDates(source)].join(', ')}, ${cleanLine(source.startUrl)}`,
    ...(source.reason === null ? [] : [`  Its latest run: ${cleanLine(source.reason)}`]),
    ...(source.ignoresTerms ? ['  The operator set that its terms of use exclude no pages'] : []),
    ...source.versions.flatMap(versionLines),
  ]);
  const more = total - shown.length;
  return [...lines, ...(more > 0 ? [`${more} more: call list_sources with part of a name.`] : [])].join('\n');
}

function sourceDates({ lastCrawlAt, nextRunAt }: SourceView): string[] {
  return [
    ...(lastCrawlAt === null ? [] : [`last crawl ${lastCrawlAt.slice(0, 10)}`]),
    ...(nextRunAt === null ? [] : [`next run ${nextRunAt.slice(0, 10)}`]),
  ];
}

function versionLines(view: VersionView): string[] {
  const { version, declaredVersion, pages, chunks, oldestCheckAt, siteTitle, siteSummary, usageTerms, licenses } = view;
  const shown = versionLabel(sourceLabel(version), declaredVersion);
  const name = shown === '' ? '' : `${version === '' ? '' : 'version '}${shown}: `;
  const oldest = oldestCheckAt === null ? '' : `, oldest check ${oldestCheckAt.slice(0, 10)}`;
  const said = [siteTitle, siteSummary].filter((text) => text !== null);
  return [
    `  ${name}${pluralize(pages, 'page')}, ${pluralize(chunks, 'chunk')}${oldest}`,
    ...quoted('The site says', said),
    ...quoted('Its terms of use', usageTerms),
    ...quoted('Its licenses', licenses),
  ];
}

function quoted(what: string, texts: readonly string[]): string[] {
  const quotations = texts.map((text) => JSON.stringify(cleanLine(text)));
  return quotations.length === 0 ? [] : [`  ${what} (untrusted): ${quotations.join(' ')}`];
}

/** A row for each version. */
export function sourceRows(sources: readonly SourceView[]): Array<Record<string, string | number>> {
  return sources.flatMap(({ source, startUrl, status, versions, nextRunAt }) =>
    versions.map(({ version, declaredVersion, pages }) => ({
      Source: source,
      Version: versionLabel(version, declaredVersion),
      Status: status,
      Pages: pages,
      'Next run': formatTime(nextRunAt),
      Start: startUrl,
    })),
  );
}

/** `2026-03-01 14:05`, in UTC. */
export function formatTime(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 16).replace('T', ' ');
}
