// Search results for a terminal: of each passage its heading path, where it is, and the part that matches.

import { z } from 'zod';
import type { searchDocs } from '../../../actions/search-docs.ts';
import { featureLabels, signalLabels } from '../../../core/answer/score-labels.table.ts';
import { shortChunkId } from '../../../core/chunk/chunk-names.ts';
import { displayUrl } from '../../../core/files/file-url.ts';
import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import {
  matchExcerpt,
  queryTerms,
  type ExcerptBlock,
  type QueryTerms,
  type TextSpan,
} from '../../../core/markdown/match-excerpt.ts';
import { displayWidth, truncateToWidth, type OutputForm } from './columns.ts';
import { paint } from './paint.ts';
import { EMPTY_LIBRARY } from './render-library.ts';

type PassagesResult = z.output<typeof searchDocs.output>;
type Passage = PassagesResult['passages'][number];

/** What it takes to mark matches, and to number results on from the previous ones. */
const InputOfSearch = z.object({ query: z.string().optional(), offset: z.int().optional() });

const INDENT = '   ';
const CODE_INDENT = '       ';
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
  const shown = passages.map((passage, at) => renderPassage(passage, offset + at + 1, terms, form));
  const more = next === null ? '' : `More results: add --offset ${next} to the same command\n`;
  return `${read.join('')}${shown.join('')}Read a result in full: pinakes read ID\n${more}`;
}

function renderPassage(passage: Passage, position: number, terms: QueryTerms, form: OutputForm): string {
  const { source, version, url, headings, title, chunk, text, why } = passage;
  const path = (headings.length === 0 ? [title] : headings).map(cleanLine).join(' › ');
  const from = version === '' ? source : `${source} ${version}`;
  const excerpt = matchExcerpt(text, terms).map((block) => renderBlock(block, form));
  return [
    `${position}. ${paint(path, 'bold', form.colors)}\n`,
    `${INDENT}${cleanLine(displayUrl(url))}  (${cleanLine(from)}, id ${shortChunkId(chunk)})\n`,
    ...(why === undefined
      ? []
      : [scoreLine('page', why.page, signalLabels), scoreLine('passage', why.passage, featureLabels)]),
    ...excerpt,
    '\n',
  ].join('');
}

function scoreLine(
  what: string,
  { score, ...parts }: Readonly<Record<string, number>>,
  labels: Readonly<Record<string, string>>,
): string {
  const named = Object.entries(parts).map(([name, part]) => `${labels[name] ?? name} ${part}`);
  return `${INDENT}score of the ${what} ${score ?? 0}: ${named.join(', ')}\n`;
}

function renderBlock({ kind, spans }: ExcerptBlock, form: OutputForm): string {
  const lines = kind === 'code' ? codeLines(spans, form) : wrapWords(spans, form);
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function mark({ text, isMatch }: TextSpan, { colors }: OutputForm): string {
  return isMatch ? paint(text, 'yellow', colors) : text;
}

/** Lines of code are truncated rather than wrapped. Colors would count as characters, so a truncated line has none. */
function codeLines(spans: readonly TextSpan[], form: OutputForm): readonly string[] {
  const { width } = form;
  const plain = spans
    .map(({ text }) => text)
    .join('')
    .split('\n');
  const painted = spans
    .map((span) => mark(span, form))
    .join('')
    .split('\n');
  return plain.map((line, at) => {
    const fits = width === null || displayWidth(CODE_INDENT + line) <= width;
    return CODE_INDENT + (fits ? (painted[at] ?? '') : truncateToWidth(line, width - CODE_INDENT.length));
  });
}

function wrapWords(spans: readonly TextSpan[], form: OutputForm): readonly string[] {
  const available = form.width === null ? Infinity : Math.max(20, form.width - INDENT.length);
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const word of wordsOf(spans)) {
    const width = word.reduce((sum, { text }) => sum + displayWidth(text), 0);
    const isFirst = used === 0;
    if (!isFirst && used + 1 + width > available) {
      lines.push(line);
      [line, used] = ['', 0];
    }
    line += `${used === 0 ? '' : ' '}${word.map((span) => mark(span, form)).join('')}`;
    used += (used === 0 ? 0 : 1) + width;
  }
  return [...lines, line].map((one) => INDENT + one);
}

/** A word may be partly marked. */
function wordsOf(spans: readonly TextSpan[]): ReadonlyArray<readonly TextSpan[]> {
  const words: TextSpan[][] = [[]];
  for (const { text, isMatch } of spans) {
    text.split(/\s+/).forEach((part, at) => {
      if (at > 0) words.push([]);
      if (part !== '') words.at(-1)?.push({ text: part, isMatch });
    });
  }
  return words.filter((word) => word.length > 0);
}
