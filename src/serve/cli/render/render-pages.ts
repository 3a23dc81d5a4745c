// Pages, outlines and symbols for a terminal.

import type { z } from 'zod';
import type { listChunks } from '../../../actions/list-chunks.ts';
import type { readDocs } from '../../../actions/read-docs.ts';
import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { dateText } from '../../../core/model/provenance.ts';
import { displayUrl } from '../../../core/files/file-url.ts';

type ReadResult = z.output<typeof readDocs.output>;

/** Part of a page with its source and how to continue. */
export function renderRead(page: ReadResult): string {
  const { source, version, url, title, lines, text, nextLine } = page;
  const from = version === '' ? source : `${source} ${version}`;
  const head = `${cleanLine(title)}\n${cleanLine(displayUrl(url))}  (${from}, lines ${lines.first}–${lines.last}, ${dateText(page)})\n\n`;
  return `${head}${text}\n${nextLine === null ? '' : `\nMore: --from-line ${nextLine}\n`}`;
}

interface OutlineResult {
  readonly isTruncated: boolean;
  readonly pages: ReadonlyArray<{
    readonly path: string;
    readonly title: string;
    readonly sections: ReadonlyArray<{ readonly headings: readonly string[]; readonly chunkId: string }>;
  }>;
}

interface SymbolsResult {
  readonly isTruncated: boolean;
  readonly symbols: ReadonlyArray<{
    readonly symbol: string;
    readonly path: string;
    readonly anchor: string | null;
    readonly line: number;
  }>;
}

const TRUNCATED = 'The list is truncated. Narrow it with --path.\n';

export function renderOutline({ pages, symbols, isTruncated }: OutlineResult & SymbolsResult): string {
  if (symbols.length > 0) return renderSymbols({ symbols, isTruncated });
  if (pages.length === 0) return 'No pages.\n';
  const lines = pages.map(({ path, title, sections }) => {
    const headed = sections.filter(({ headings }) => headings.length > 0);
    const shown = headed.map(({ headings, chunkId }) => {
      return `${'  '.repeat(headings.length)}${headings.at(-1) ?? ''}  ${chunkId}\n`;
    });
    return `${path}  ${title}\n${shown.join('')}`;
  });
  return lines.join('') + (isTruncated ? TRUNCATED : '');
}

export function renderSymbols({ symbols, isTruncated }: SymbolsResult): string {
  if (symbols.length === 0) return 'No symbols.\n';
  return (
    symbols
      .map(
        ({ symbol, path, anchor, line }) => `${symbol}  ${anchor === null ? `${path}:${line}` : `${path}#${anchor}`}\n`,
      )
      .join('') + (isTruncated ? TRUNCATED : '')
  );
}

/** One line a chunk; the texts are in the JSON. */
export function renderChunks({ chunks, nextCursor }: z.output<typeof listChunks.output>): string {
  if (chunks.length === 0) return 'No chunks.\n';
  const lines = chunks.map(({ id, url, lines: { first, last }, headings, tokens }) => {
    return `${id.slice(0, 16)}  ${displayUrl(url)}:${first}-${last}  ${headings.at(-1) ?? ''} (${tokens} tokens)\n`;
  });
  return `${lines.join('')}${nextCursor === null ? '' : `More: --cursor ${nextCursor}\n`}`;
}

interface PreviewResult {
  readonly url: string;
  readonly title: string;
  readonly verdict: string;
  readonly pageKind: string;
  readonly extractor: string;
  readonly chunks: number;
  readonly text: string;
  readonly links: ReadonlyArray<{ readonly url: string; readonly text: string; readonly isInContent: boolean }>;
}

const MAX_LINKS = 20;

/** The extracted text, then what was found out about the page. */
export function renderPreview(page: PreviewResult): string {
  const inContent = page.links.filter((link) => link.isInContent);
  const shown = inContent
    .slice(0, MAX_LINKS)
    .map(({ url, text }) => `  ${url}${text === '' ? '' : `  ${text.slice(0, 60)}`}\n`);
  const more = inContent.length > MAX_LINKS ? `  … and ${inContent.length - MAX_LINKS} more\n` : '';
  const outside = page.links.length - inContent.length;
  return `${page.text}
--- ${page.url}
Title    ${page.title}
Verdict  ${page.verdict}
Kind     ${page.pageKind}, extracted by ${page.extractor}, ${page.chunks} chunks
Links    ${inContent.length} in the text, ${outside} outside it
${shown.join('')}${more}`;
}
