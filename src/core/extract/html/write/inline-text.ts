// A run of inline Markdown being built. White space collapses as in a browser. The last character is stored separately,
// because reading it from a long concatenated string would flatten the string each time.

import { codeSpan } from './escape-markdown.ts';

export interface InlineRun {
  /** Complete only after finishRun(). */
  text: string;
  /** Inline code that an adjacent code element may continue: `a``b` would be parsed differently. */
  code: string;
  /** There was white space, which becomes one space if more text follows. */
  pendingSpace: boolean;
  /** There was white space before any text: it belongs outside the markers around this run. */
  leadingSpace: boolean;
  /** The last character of `text`, '' while empty. */
  last: string;
  /** The run ends with the closing marker of emphasis that ends in punctuation: a letter must not follow directly. */
  afterClosingMarker: boolean;
}

export function createInlineRun(): InlineRun {
  return { text: '', code: '', pendingSpace: false, leadingSpace: false, last: '', afterClosingMarker: false };
}

/** Flushes pending code and returns the run's text. */
export function finishRun(run: InlineRun): string {
  if (run.code !== '') run.text += codeSpan(run.code);
  run.code = '';
  return run.text;
}

/** Appends finished Markdown as it is. */
export function appendMarkdown(run: InlineRun, markdown: string): void {
  if (markdown === '') return;
  flushPending(run);
  run.text += markdown;
  run.last = markdown[markdown.length - 1] as string;
}

export function appendCode(run: InlineRun, code: string): void {
  if (run.code !== '' && !run.pendingSpace) {
    run.code += code;
    return;
  }
  flushPending(run);
  run.code = code;
  run.last = '`';
}

function flushPending(run: InlineRun): void {
  finishRun(run);
  if (run.pendingSpace && run.last !== '' && run.last !== '\n') run.text += ' ';
  run.pendingSpace = false;
  run.afterClosingMarker = false;
}

export function appendSpace(run: InlineRun): void {
  if (run.last === '') run.leadingSpace = true;
  else run.pendingSpace = true;
}

export function appendBreak(run: InlineRun): void {
  run.pendingSpace = false;
  if (run.last === '') {
    run.leadingSpace = true;
    return;
  }
  if (run.last === '\n') return;
  flushPending(run);
  run.text += '\n';
  run.last = '\n';
}

const NEEDS_COLLAPSING = /[\t\n\f\r\u00a0]| {2}/;
const SPACES = /[ \t\n\f\r\u00a0]+/g;

export function collapse(text: string): string {
  return NEEDS_COLLAPSING.test(text) ? text.replace(SPACES, ' ') : text;
}

/** Appends text with collapsed white space; `escape` also gets the preceding character. */
export function appendText(run: InlineRun, raw: string, escape: (text: string, before: string) => string): void {
  const text = collapse(raw);
  if (text.startsWith(' ')) appendSpace(run);
  const body = text.trim();
  if (body === '') return;
  if (run.afterClosingMarker && !run.pendingSpace && LETTER.test(body[0] as string)) run.pendingSpace = true;
  appendMarkdown(run, escape(body, run.pendingSpace ? ' ' : run.last));
  if (text.endsWith(' ')) run.pendingSpace = true;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Appends a run inside markers, with its outer white space outside them. */
export function appendWrapped(run: InlineRun, inner: InlineRun, open: string, close: string): void {
  if (inner.leadingSpace) appendSpace(run);
  if (inner.last !== '') {
    const text = inner.last === '\n' ? finishRun(inner).trimEnd() : finishRun(inner);
    // `word**(x)**` is not emphasis in Markdown: a marker after a letter must be followed by one.
    const cannotOpen = !run.pendingSpace && LETTER.test(run.last) && !LETTER.test(text[0] as string);
    if (cannotOpen) appendMarkdown(run, text);
    else appendMarkdown(run, open + text + close);
    run.afterClosingMarker = !cannotOpen && inner.last !== '\n' && !LETTER.test(inner.last);
  }
  if (inner.pendingSpace || inner.last === '\n') appendSpace(run);
}
