// Search results for a terminal: each page once, below it its sections, each with its heading and the part that matches.

import { z } from 'zod';
import type { searchDocs } from '../../../actions/search-docs.ts';
import { featureLabels, signalLabels } from '../../../core/answer/score-labels.table.ts';
import { shortChunkId } from '../../../core/chunk/chunk-names.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { groupByPage, sectionPath } from '../../../core/markdown/cited-markdown.ts';
import { matchExcerpt, queryTerms, type QueryTerms } from '../../../core/markdown/match-excerpt.ts';
import type { OutputForm } from './columns.ts';
import { paint } from './paint.ts';
import { renderExcerpt } from './render-excerpt.ts';
import { EMPTY_LIBRARY } from './render-library.ts';

type PassagesResult = z.output<typeof searchDocs.output>;
type Passage = PassagesResult['passages'][number];

/** What it takes to mark matches, and to number results on from the previous ones. */
const InputOfSearch = z.object({ query: z.string().optional(), offset: z.int().optional() });

const INDENT = '   ';
const MAX_NAMED = 10;

export function renderPassages(result: PassagesResult, form: OutputForm, input: object): string {
  const { searched, passages, next, corrections, suggestions } = result;
  const read = corrections.map(
    ({ word, readAs }) => `No page contains “${cleanLine(word)}”; also searched for: ${readAs.join(', ')}.\n`,
  );
  if (passages.length === 0) {
    if (searched.length === 0) return EMPTY_LIBRARY;
    const named = searched.slice(0, MAX_NAMED).join(', ');
    const others = searched.length > MAX_NAMED ? ` and ${searched.length - MAX_NAMED} more` : '';
    const titles = suggestions.length === 0 ? '' : `Similar titles: ${suggestions.map(cleanLine).join('; ')}.\n`;
    return `${read.join('')}Nothing found in ${named}${others}. Try fewer or different words.\n${titles}`;
  }
  const { query = '', offset = 0 } = InputOfSearch.parse(input);
  const terms = queryTerms(query, corrections);
  let position = offset;
  const shown = groupByPage(passages).map((ofPage) => {
    const sections = ofPage.map((passage) => {
      position += 1;
      return `${position}. ${renderSection(passage, terms, form)}`;
    });
    return `${pageLine(ofPage[0], form)}${sections.join('')}`;
  });
  const more = next === null ? '' : `More results: add --offset ${next} to the same command\n`;
  return `${read.join('')}${shown.join('')}Read a section in full: pinakes read URL#anchor, or its id\n${more}`;
}

function pageLine(passage: Passage | undefined, form: OutputForm): string {
  if (passage === undefined) return '';
  const { source, version, url, title } = passage;
  const from = cleanLine(version === '' ? source : `${source} ${version}`);
  return `${paint(cleanLine(title), 'bold', form.colors)}  ${pageTarget(url)}  (${from})\n`;
}

function renderSection(passage: Passage, terms: QueryTerms, form: OutputForm): string {
  const { title, isPartial, why } = passage;
  const { blocks, hasMore } = matchExcerpt(passage, terms);
  const path = sectionPath(passage);
  const heading = (path.length === 0 ? [title] : path).map(cleanLine).join(' › ');
  return [
    `${paint(heading, 'bold', form.colors)}  ${sectionMark(passage)}\n`,
    ...(why === undefined
      ? []
      : [scoreLine('page', why.page, signalLabels), scoreLine('passage', why.passage, featureLabels)]),
    renderExcerpt(blocks, INDENT, form),
    isPartial || hasMore ? `${INDENT}… more: pinakes read ${readTarget(passage)}\n` : '',
    '\n',
  ].join('');
}

function pageTarget(url: string): string {
  return cleanLine(displayUrl(url.split('#', 1)[0] ?? ''));
}

/** How a section is read: by its anchor below the page's URL, or by its id. */
function sectionMark({ url, chunk }: Passage): string {
  const [, anchor] = url.split('#', 2);
  return anchor === undefined ? `id ${shortChunkId(chunk)}` : `#${cleanLine(anchor)}`;
}

function readTarget({ url, chunk }: Passage): string {
  if (!url.includes('#')) return shortChunkId(chunk);
  return quoteForShell(cleanLine(displayUrl(url)));
}

/** As one word of a command line: an address from a page never runs anything when it is pasted. */
function quoteForShell(word: string): string {
  return /^[\w./:#@%+,=~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function scoreLine(
  what: string,
  { score, ...parts }: Readonly<Record<string, number>>,
  labels: Readonly<Record<string, string>>,
): string {
  const named = Object.entries(parts).map(([name, part]) => `${labels[name] ?? name} ${part}`);
  return `${INDENT}score of the ${what} ${score ?? 0}: ${named.join(', ')}\n`;
}
