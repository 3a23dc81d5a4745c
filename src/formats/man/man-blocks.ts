// The structure of a manual page as it is written: paragraphs, code, and lists inside the items of lists.

import { codeBlock, heading, paragraph } from '../../core/extract/markup/markup-document.ts';
import { roffHtml, roffPlain, type Strings } from './roff-text.ts';

export interface ManBlocks {
  setTitle(title: string): void;
  title(): string | null;
  /** Ends every list. */
  section(level: number, html: string): void;
  /** A line of text, in the paragraph or in the code. */
  text(line: string, strings: Strings): void;
  /** Inline content: a word that follows the text before it. */
  inline(html: string, plain: string): void;
  /** Appends to the last word without a space. */
  endParagraph(): void;
  /** A new paragraph outside the items at this depth. */
  endList(): void;
  lineBreak(): void;
  /** The next text is the term of a new item. */
  term(): void;
  item(kind: 'dl' | 'ul' | 'ol', termHtml: string): void;
  isInCode(): boolean;
  startCode(): void;
  endCode(): void;
  indent(): void;
  outdent(): void;
  link(href: string | null): void;
  raw(html: string): void;
  end(): string;
}

interface Level {
  list: 'dl' | 'ul' | 'ol' | null;
}

/** Deeper indentation stays at this depth. */
const MAX_LEVELS = 24;

interface State {
  readonly parts: string[];
  readonly levels: Level[];
  words: string[];
  code: string[] | null;
  isTerm: boolean;
  title: string | null;
  link: string | null;
  /** Indentations beyond the limit, so that each end matches its beginning. */
  tooDeep: number;
}

export function createManBlocks(): ManBlocks {
  const state: State = {
    parts: [],
    levels: [{ list: null }],
    words: [],
    code: null,
    isTerm: false,
    title: null,
    link: null,
    tooDeep: 0,
  };
  return {
    setTitle: (title) => void (state.title = title),
    title: () => state.title,
    section(level, html) {
      closeAll(state);
      state.parts.push(heading(level, html));
    },
    text: (line, strings) => addText(state, line, strings),
    inline(html, plain) {
      if (state.code !== null && !state.isTerm) state.code.push(plain);
      else addWords(state, html);
    },
    endParagraph: () => flushParagraph(state),
    endList() {
      flushParagraph(state);
      if (state.code === null) closeList(state);
    },
    lineBreak() {
      if (state.words.length > 0 && !state.isTerm) state.words.push('<br>');
    },
    term() {
      flush(state);
      state.isTerm = true;
    },
    item: (kind, termHtml) => startItem(state, kind, termHtml),
    isInCode: () => state.code !== null,
    startCode() {
      flush(state);
      state.code = [];
    },
    endCode: () => flushCode(state),
    indent: () => advanceDepth(state),
    outdent: () => endLevel(state),
    link(href) {
      if (href !== null) state.words.push(`<a href="${href.replaceAll('"', '%22')}">`);
      else if (state.link !== null) state.words.push('</a>');
      state.link = href;
    },
    raw(html) {
      flush(state);
      state.parts.push(html);
    },
    end() {
      closeAll(state);
      return state.parts.join('');
    },
  };
}

function closeAll(state: State): void {
  flush(state);
  while (state.levels.length > 1) closeLevel(state);
  closeList(state);
}

function advanceDepth(state: State): void {
  flush(state);
  if (state.levels.length >= MAX_LEVELS) state.tooDeep += 1;
  else state.levels.push({ list: null });
}

function endLevel(state: State): void {
  flush(state);
  if (state.tooDeep > 0) state.tooDeep -= 1;
  else if (state.levels.length > 1) closeLevel(state);
}

function addText(state: State, line: string, strings: Strings): void {
  if (state.code !== null && !state.isTerm) {
    state.code.push(roffPlain(line, strings));
    return;
  }
  if (line.trim() === '') {
    flushParagraph(state);
    return;
  }
  // A line that begins with spaces begins on a new line.
  if (/^\s/.test(line) && state.words.length > 0 && !state.isTerm) state.words.push('<br>');
  addWords(state, roffHtml(line.trim(), strings));
}

function addWords(state: State, html: string): void {
  if (state.isTerm) {
    state.isTerm = false;
    startItem(state, 'dl', html);
  } else state.words.push(html);
}

function flushParagraph(state: State): void {
  const { words } = state;
  if (state.code !== null) {
    if (state.code.length > 0) state.code.push('');
    return;
  }
  state.words = [];
  const html = words
    .join('\n')
    .replace(/(?:\n?<br>)+$/, '')
    .replace(/<br>\n/g, '<br>');
  state.parts.push(paragraph(html));
}

function flushCode(state: State): void {
  const { code } = state;
  state.code = null;
  if (code === null) return;
  let indent = Number.POSITIVE_INFINITY;
  for (const line of code) if (line.trim() !== '') indent = Math.min(indent, line.length - line.trimStart().length);
  state.parts.push(codeBlock(code.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join('\n'), null));
}

function flush(state: State): void {
  if (state.code === null) flushParagraph(state);
  else flushCode(state);
}

function startItem(state: State, kind: 'dl' | 'ul' | 'ol', termHtml: string): void {
  flush(state);
  const level = state.levels.at(-1) as Level;
  if (level.list !== kind) {
    closeList(state);
    state.parts.push(`<${kind}>`);
    level.list = kind;
  } else state.parts.push(kind === 'dl' ? '</dd>' : '</li>');
  state.parts.push(kind === 'dl' ? `<dt>${termHtml}</dt><dd>` : '<li>');
}

function closeList(state: State): void {
  const level = state.levels.at(-1) as Level;
  if (level.list !== null) state.parts.push(level.list === 'dl' ? '</dd></dl>\n' : `</li></${level.list}>\n`);
  level.list = null;
}

function closeLevel(state: State): void {
  closeList(state);
  state.levels.pop();
}
