// Search results for a terminal: each page once, below it its sections, each with its heading and the part that matches.

import { z } from 'zod';
import type { SearchResult } from '../../../actions/search-docs.ts';
import { featureLabels, signalLabels } from '../../../core/answer/score-labels.table.ts';
import { shortChunkId } from '../../../core/chunk/chunk-names.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { groupByPage, sectionPath } from '../../../core/answer/cited-markdown.ts';
import { matchExcerpt, excerptTerms, type QueryTerms } from '../../../core/answer/match-excerpt.ts';
import { TERMINAL } from '../../text/readers.table.ts';
import { correctionLines, nothingFoundLines } from '../../text/search-text.ts';
import type { OutputFormat } from './columns.ts';
import { paint } from './paint.ts';
import { renderExcerpt } from './render-excerpt.ts';

type PassagesResult = SearchResult;
type Passage = PassagesResult['passages'][number];

/** What it takes to mark matches, and to number results on from the previous ones. */
const InputOfSearch = z.object({ query: z.string().optional(), offset: z.int().optional() });

const INDENT = '   ';
const WEAK = 'Weak evidence: the library may not answer this. The nearest sections:\n';

export function renderPassages(result: PassagesResult, format: OutputFormat, input: object): string {
  const { passages, nextOffset, corrections } = result;
  const corrected = correctionLines(result).map((line) => `${line}\n`);
  if (passages.length === 0) return `${corrected.join('')}${nothingFoundLines(result, TERMINAL).join('\n')}\n`;
  const { query = '', offset = 0 } = InputOfSearch.parse(input);
  const terms = excerptTerms(query, corrections);
  let position = offset;
  const shown = groupByPage(passages).map((ofPage) => {
    const sections = ofPage.map((passage) => {
      position += 1;
      return `${position}. ${renderSection(passage, terms, format)}`;
    });
    return `${pageLine(ofPage[0], format)}${sections.join('')}`;
  });
  const more = nextOffset === null ? '' : `More results: add --offset ${nextOffset} to the same command\n`;
  return `${corrected.join('')}${result.isWeak ? WEAK : ''}${shown.join('')}Read a section in full: pinakes read URL#anchor, or its id\n${more}`;
}

function pageLine(passage: Passage | undefined, format: OutputFormat): string {
  if (passage === undefined) return '';
  const { source, version, url, title, isImported } = passage;
  const from = `${cleanLine(version === '' ? source : `${source} ${version}`)}${isImported === true ? ', imported' : ''}`;
  return `${paint(cleanLine(title), 'bold', format.colors)}  ${pageTarget(url)}  (${from})\n`;
}

function renderSection(passage: Passage, terms: QueryTerms, format: OutputFormat): string {
  const { title, isPartial, explanation } = passage;
  const { blocks, hasMore } = matchExcerpt(passage, terms);
  const path = sectionPath(passage);
  const heading = (path.length === 0 ? [title] : path).map(cleanLine).join(' › ');
  return [
    `${paint(heading, 'bold', format.colors)}  ${sectionMark(passage)}\n`,
    ...(explanation === undefined
      ? []
      : [scoreLine('page', explanation.page, signalLabels), scoreLine('passage', explanation.passage, featureLabels)]),
    renderExcerpt(blocks, INDENT, format),
    isPartial || hasMore ? `${INDENT}… more: pinakes read ${readTarget(passage)}\n` : '',
    '\n',
  ].join('');
}

function pageTarget(url: string): string {
  return cleanLine(displayUrl(url.split('#', 1)[0] ?? ''));
}

/** How a section is read: by its anchor below the page's URL, or by its id. */
function sectionMark({ url, chunkId }: Passage): string {
  const [, anchor] = url.split('#', 2);
  return anchor === undefined ? `id ${shortChunkId(chunkId)}` : `#${cleanLine(anchor)}`;
}

function readTarget({ url, chunkId }: Passage): string {
  if (!url.includes('#')) return shortChunkId(chunkId);
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
