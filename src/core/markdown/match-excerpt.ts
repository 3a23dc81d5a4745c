// The part of a passage that a person is shown: it begins at the sentence that matches the query best, matches are marked,
// and code stays whole.

import { isStopToken } from '../lexical/tokenize/stop-tokens.ts';
import { tokenize } from '../lexical/tokenize/tokenize.ts';
import { lineKinds } from './scan-blocks.ts';

export interface TextSpan {
  readonly text: string;
  readonly isMatch: boolean;
}

export interface ExcerptBlock {
  /** `text`: a paragraph, a list item or a row of a table. `code`: lines as they are. */
  readonly kind: 'text' | 'code';
  readonly spans: readonly TextSpan[];
}

/** The terms of a query that are worth marking. */
export type QueryTerms = ReadonlySet<string>;

/** Without stop words, unless there is nothing else, and with the terms that misspelt ones were read as. */
export function queryTerms(
  query: string,
  corrections: ReadonlyArray<{ readonly readAs: readonly string[] }> = [],
): QueryTerms {
  const tokens = tokenize(query);
  const content = tokens.filter((token) => !isStopToken(token));
  return new Set([...(content.length === 0 ? tokens : content), ...corrections.flatMap(({ readAs }) => readAs)]);
}

const MAX_TEXT_CHARS = 420;
/** Code that does not end before is cut, and marked as such. */
const MAX_CODE_LINES = 24;

/** Longer than any passage; a whole page would take long. */
const MAX_PASSAGE_CHARS = 50_000;

/** Where the passage begins earlier or goes on, there is an ellipsis. */
export function matchExcerpt(passage: string, terms: QueryTerms): readonly ExcerptBlock[] {
  const units = splitUnits(passage.slice(0, MAX_PASSAGE_CHARS)).map((unit) => ({
    ...unit,
    ...markTerms(unit.text, terms),
  }));
  const first = firstUnit(units);
  const blocks: ExcerptBlock[] = [];
  let [chars, codeLines, paragraph, at] = [0, 0, -1, first];
  for (; at < units.length; at += 1) {
    const unit = units[at];
    if (unit === undefined) break;
    if (unit.kind === 'code') codeLines += unit.text.split('\n').length;
    else chars += unit.text.length + 1;
    if (at > first && (chars > MAX_TEXT_CHARS || codeLines > MAX_CODE_LINES)) break;
    const last = blocks.at(-1);
    if (unit.paragraph === paragraph && last !== undefined)
      blocks[blocks.length - 1] = { ...last, spans: [...last.spans, unmarked(' '), ...unit.spans] };
    else blocks.push({ kind: unit.kind, spans: unit.spans });
    paragraph = unit.paragraph;
  }
  return withEllipses(blocks, { before: first > 0, after: at < units.length });
}

const ELLIPSIS = '…';

function unmarked(text: string): TextSpan {
  return { text, isMatch: false };
}

/** In the text at that end; on its own next to code and before a list. */
function withEllipses(
  blocks: readonly ExcerptBlock[],
  { before, after }: { readonly before: boolean; readonly after: boolean },
): readonly ExcerptBlock[] {
  const alone: ExcerptBlock = { kind: 'text', spans: [unmarked(ELLIPSIS)] };
  const marked = [...blocks];
  const first = marked.at(0);
  if (before && first?.kind === 'text' && !ITEM_OR_ROW.test(first.spans[0]?.text ?? ''))
    marked[0] = { ...first, spans: [unmarked(`${ELLIPSIS} `), ...first.spans] };
  else if (before) marked.unshift(alone);
  const last = marked.at(-1);
  if (after && last?.kind === 'text')
    marked.splice(-1, 1, { ...last, spans: [...last.spans, unmarked(` ${ELLIPSIS}`)] });
  else if (after) marked.push(alone);
  return marked;
}

interface Unit {
  readonly kind: ExcerptBlock['kind'];
  readonly text: string;
  /** Units of the same paragraph are joined again. */
  readonly paragraph: number;
}

interface MarkedUnit extends Unit {
  readonly spans: readonly TextSpan[];
  readonly matched: number;
}

/** The first of those with the most terms, with the sentence that introduces it if it is code. */
function firstUnit(units: readonly MarkedUnit[]): number {
  const most = Math.max(0, ...units.map(({ matched }) => matched));
  const best = units.findIndex(({ matched }) => matched === most);
  const before = units[best - 1];
  return units[best]?.kind === 'code' && before?.kind === 'text' && before.text.endsWith(':')
    ? best - 1
    : Math.max(0, best);
}

/** Splits a text at the words that match, by the tokenizer of the search index. */
function markTerms(text: string, terms: QueryTerms): { readonly spans: readonly TextSpan[]; readonly matched: number } {
  const spans: TextSpan[] = [];
  const found = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+/gu)) {
    const hits = tokenize(word).filter((token) => terms.has(token));
    for (const hit of hits) found.add(hit);
    const isMatch = hits.length > 0;
    const last = spans.at(-1);
    if (last !== undefined && !last.isMatch && !isMatch) spans[spans.length - 1] = { text: last.text + word, isMatch };
    else spans.push({ text: word, isMatch });
  }
  return { spans, matched: found.size };
}

const HEADING = /^\s{0,3}#{1,6}\s/;
const ITEM_OR_ROW = /^[\s>]*(?:[-*+]\s|\d{1,9}[.)]\s|\|)/;

/** Sentences and code, in order. Headings are left out: they are shown above the passage. */
function splitUnits(passage: string): readonly Unit[] {
  const kinds = lineKinds(passage, { isExcerpt: true });
  const units: Unit[] = [];
  let [text, code, paragraph]: [string[], string[], number] = [[], [], 0];
  const endText = (): void => {
    for (const sentence of sentencesOf(text.join(' '))) units.push({ kind: 'text', text: sentence, paragraph });
    text = [];
    paragraph += 1;
  };
  const endCode = (): void => {
    if (code.some((line) => line.trim() !== '')) units.push({ kind: 'code', text: cutCode(code), paragraph });
    code = [];
    paragraph += 1;
  };
  passage.split('\n').forEach((line, at) => {
    const kind = kinds[at];
    if (kind === 'code') {
      if (code.length === 0) endText();
      code.push(line);
      return;
    }
    if (code.length > 0) endCode();
    if (kind !== 'text' || HEADING.test(line)) return endText();
    if (ITEM_OR_ROW.test(line)) endText();
    const stripped = stripInline(line);
    if (/[\p{L}\p{N}]/u.test(stripped)) text.push(stripped);
  });
  endCode();
  endText();
  return units;
}

function cutCode(lines: readonly string[]): string {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  const shown = lines.slice(0, MAX_CODE_LINES).map((line) => line.slice(indent).trimEnd());
  return [...shown, ...(lines.length > MAX_CODE_LINES ? ['…'] : [])].join('\n').replace(/^\n+|\n+$/g, '');
}

/** A sentence without an end is cut between words. */
const MAX_SENTENCE_CHARS = 400;

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?][)"'”’]?)\s+(?=[^\s\p{Ll}])|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) =>
      sentence.length > MAX_SENTENCE_CHARS
        ? `${sentence.slice(0, MAX_SENTENCE_CHARS).replace(/\s+\S*$/, '')} …`
        : sentence,
    );
}

const CODE_OR_OTHER = /`{1,3}([^`]{1,500})`{1,3}|[^`]+|`+/g;

/** Without the marks of emphasis, links and quotes, and without the frame of a row. Text between backticks stays as it is. */
export function stripInline(line: string): string {
  const bare = line
    .replace(/^[\s>]+/, '')
    .replace(/^\[![A-Z]{3,12}\]\s*/, '')
    .replace(/^\|\s*/, '')
    .replace(/\|$/, '');
  const parts = Array.from(bare.matchAll(CODE_OR_OTHER), ([whole, code]) => {
    if (code !== undefined) return code;
    return whole.startsWith('`') ? whole : stripMarks(whole);
  });
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}

function stripMarks(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}(?:\s"[^"]{0,200}")?\)/g, '$1')
    .replaceAll(/\*\*([^*]{1,500})\*\*|(?<![\p{L}\p{N}_])__([^_]{1,500})__(?![\p{L}\p{N}_])/gu, '$1$2');
}
