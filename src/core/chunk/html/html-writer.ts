// Writes tags and text as lines of light Markdown, and records the HTML line that each one comes from.

import type { OutlineEntry } from '../../model/document.ts';
import { createLineCounter } from '../text-units.ts';

export interface HtmlLines {
  readonly text: string;
  /** For each line of `text`, its line in the HTML. */
  readonly sourceLines: readonly number[];
  readonly outline: readonly OutlineEntry[];
}

export interface HtmlWriter {
  open(name: string, id: string | null): void;
  close(name: string): void;
  /** `at` is the offset of the text in the HTML; it never decreases. */
  write(text: string, at: number): void;
  finish(): HtmlLines;
}

const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span strong ' +
    'sub sup time tt u var wbr'
  ).split(' '),
);
const CELLS = new Set(['td', 'th']);
const HEADING = /^h[1-6]$/;
const FENCE = '```';

interface State {
  readonly lines: string[];
  readonly sourceLines: number[];
  readonly outline: OutlineEntry[];
  current: string;
  currentLine: number;
  /** The Markdown marker of the open block. */
  prefix: string;
  heading: { readonly level: number; readonly id: string | null } | null;
  inCode: boolean;
}

export function createHtmlWriter(html: string): HtmlWriter {
  const lineAt = createLineCounter(html);
  const state: State = {
    lines: [],
    sourceLines: [],
    outline: [],
    current: '',
    currentLine: 1,
    prefix: '',
    heading: null,
    inCode: false,
  };
  return {
    open(name, id) {
      handleTag(state, name);
      if (name === 'pre' && !state.inCode) openCode(state);
      else if (HEADING.test(name)) openHeading(state, Number(name.charAt(1)), id);
      else if (name === 'li') state.prefix = '- ';
    },
    close(name) {
      handleTag(state, name);
      if (name === 'pre' && state.inCode) closeCode(state);
      if (!HEADING.test(name)) return;
      state.heading = null;
      state.prefix = '';
    },
    write(text, at) {
      if (state.current === '') state.currentLine = lineAt(at);
      if (state.inCode) writeCode(state, text);
      else state.current += text;
    },
    finish() {
      endLine(state);
      if (state.inCode) closeCode(state);
      return { text: `${state.lines.join('\n')}\n`, sourceLines: state.sourceLines, outline: state.outline };
    },
  };
}

/** A block tag ends the line; the cells of a row share one. */
function handleTag(state: State, name: string): void {
  if (CELLS.has(name)) {
    if (state.current.trim() !== '' && !state.current.endsWith('| ')) state.current += ' | ';
  } else if (!INLINE.has(name)) endLine(state);
}

function endLine(state: State): void {
  if (state.inCode) {
    push(state, state.current);
    state.current = '';
    return;
  }
  const text = state.current.replaceAll(/\s+/g, ' ').trim();
  state.current = '';
  if (text === '') return;
  const last = state.lines.at(-1) ?? '';
  if (last !== '' && !(state.prefix === '- ' && last.startsWith('- '))) push(state, '');
  const { heading, prefix } = state;
  if (heading !== null) {
    state.outline.push({ level: heading.level, text, anchor: heading.id, line: state.lines.length + 1 });
  }
  push(state, prefix === '' ? escapeLineStart(text) : prefix + text);
  state.prefix = '';
}

function push(state: State, line: string): void {
  state.lines.push(line);
  state.sourceLines.push(state.currentLine);
}

function openHeading(state: State, level: number, id: string | null): void {
  state.heading = { level, id };
  state.prefix = `${'#'.repeat(level)} `;
}

function openCode(state: State): void {
  if (state.lines.length > 0) push(state, '');
  push(state, FENCE);
  state.inCode = true;
}

function closeCode(state: State): void {
  if (state.current !== '') endLine(state);
  while (state.lines.at(-1) === '') {
    state.lines.pop();
    state.sourceLines.pop();
  }
  push(state, FENCE);
  state.inCode = false;
}

function writeCode(state: State, text: string): void {
  const parts = text.split('\n');
  parts.forEach((part, index) => {
    // A line of code that looks like a fence would close ours; an indent of four columns prevents that.
    state.current += state.current === '' && part.trimStart().startsWith(FENCE) ? `    ${part}` : part;
    if (index === parts.length - 1) return;
    endLine(state);
    state.currentLine += 1;
  });
}

/** Escapes text that would be parsed as a heading, a fence or a list. */
function escapeLineStart(text: string): string {
  return /^(?:[#>`~|+*-]|\d+[.)])/.test(text) ? `\\${text}` : text;
}
