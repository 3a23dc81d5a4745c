// The words around the passages of an answer, and those in place of passages where none were found.

import type { SearchResult } from '../../actions/search-docs.ts';
import { elideMiddle, MAX_PATH_CHARS } from '../../core/answer/cited-markdown.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import { sourceLabel } from '../../core/model/source-name.ts';
import type { Reader } from './readers.table.ts';

const MAX_NAMED_SOURCES = 10;

export function correctionLines({ corrections }: SearchResult): string[] {
  return corrections.map(
    ({ word, correctedTo }) =>
      `No page contains "${cleanLine(word)}"; also searched for: ${correctedTo.map(cleanLine).join(', ')}.`,
  );
}

/** Where it was searched and what to try, or which crawl to wait for. */
export function nothingFoundLines({ searched, suggestions, crawling }: SearchResult, reader: Reader): string[] {
  if (crawling.length > 0) {
    const incomplete = crawling.slice(0, MAX_NAMED_SOURCES).map(({ source, pages, found }) => {
      return `${sourceLabel(source)} is being crawled: ${pages} of ${found} pages are stored so far.`;
    });
    return [`Nothing found yet. ${incomplete.join(' ')} ${reader.followRun(crawling[0]?.run ?? 0)}`];
  }
  if (searched.length === 0) return [reader.emptyLibrary];
  const names = searched.slice(0, MAX_NAMED_SOURCES).map(sourceLabel).join(', ');
  const more = searched.length > MAX_NAMED_SOURCES ? ` and ${searched.length - MAX_NAMED_SOURCES} more` : '';
  const titles = suggestions.map((title) => `- ${titleLine(title)}`);
  return [
    `Nothing found in ${names}${more}. ${reader.otherWords}`,
    ...(titles.length === 0 ? [] : ['Similar page titles:', ...titles]),
  ];
}

export function titleLine(text: string): string {
  return elideMiddle(cleanLine(text), MAX_PATH_CHARS);
}
