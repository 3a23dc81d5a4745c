// A run of inline Markdown under construction. White space collapses as in a browser; the last character is kept apart,
// because asking a long string under construction for it would copy the string each time.

import { codeSpan } from './escape-markdown.ts';

export interface InlineText {
  /** Complete only after finished(). */
  text: string;
  /** Inline code that another code element may still continue: `a``b` would be read as something else. */
  code: string;
  /** White space was met and will be one space if more text follows. */
  pendingSpace: boolean;
  /** White space came before any text: it belongs outside the marks around this run. */
  leadingSpace: boolean;
  /** The last character of `text`, '' while empty. */
  last: string;
  /** The last thing written was the closing mark of emphasis that ends in punctuation: a letter may not follow. */
  afterMark: boolean;
}

export function inlineText(): InlineText {
  return { text: '', code: '', pendingSpace: false, leadingSpace: false, last: '', afterMark: false };
}

/** The run's text, with nothing left open. */
export function finished(run: InlineText): string {
  if (run.code !== '') run.text += codeSpan(run.code);
  run.code = '';
  return run.text;
}

/** Appends finished Markdown as it is. */
export function appendMarkdown(run: InlineText, markdown: string): void {
  if (markdown === '') return;
  settle(run);
  run.text += markdown;
  run.last = markdown[markdown.length - 1] as string;
}

export function appendCode(run: InlineText, code: string): void {
  if (run.code !== '' && !run.pendingSpace) {
    run.code += code;
    return;
  }
  settle(run);
  run.code = code;
  run.last = '`';
}

function settle(run: InlineText): void {
  finished(run);
  if (run.pendingSpace && run.last !== '' && run.last !== '\n') run.text += ' ';
  run.pendingSpace = false;
  run.afterMark = false;
}

export function appendSpace(run: InlineText): void {
  if (run.last === '') run.leadingSpace = true;
  else run.pendingSpace = true;
}

export function appendBreak(run: InlineText): void {
  run.pendingSpace = false;
  if (run.last === '') {
    run.leadingSpace = true;
    return;
  }
  if (run.last === '\n') return;
  settle(run);
  run.text += '\n';
  run.last = '\n';
}

const NEEDS_COLLAPSING = /[\t\n\f\r\u00a0]| {2}/;
const SPACES = /[ \t\n\f\r\u00a0]+/g;

export function collapse(text: string): string {
  return NEEDS_COLLAPSING.test(text) ? text.replace(SPACES, ' ') : text;
}

/** Appends text with its white space collapsed; `escape` gets the character that stands before it. */
export function appendText(run: InlineText, raw: string, escape: (text: string, before: string) => string): void {
  const text = collapse(raw);
  if (text.startsWith(' ')) appendSpace(run);
  const body = text.trim();
  if (body === '') return;
  if (run.afterMark && !run.pendingSpace && LETTER.test(body[0] as string)) run.pendingSpace = true;
  appendMarkdown(run, escape(body, run.pendingSpace ? ' ' : run.last));
  if (text.endsWith(' ')) run.pendingSpace = true;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Appends a run inside marks, with its outer white space left outside of them. */
export function appendMarked(run: InlineText, inner: InlineText, open: string, close: string): void {
  if (inner.leadingSpace) appendSpace(run);
  if (inner.last !== '') {
    const text = inner.last === '\n' ? finished(inner).trimEnd() : finished(inner);
    // `word**(x)**` is no emphasis in Markdown: a mark after a letter must be followed by one.
    const cannotOpen = !run.pendingSpace && LETTER.test(run.last) && !LETTER.test(text[0] as string);
    if (cannotOpen) appendMarkdown(run, text);
    else appendMarkdown(run, open + text + close);
    run.afterMark = !cannotOpen && inner.last !== '\n' && !LETTER.test(inner.last);
  }
  if (inner.pendingSpace || inner.last === '\n') appendSpace(run);
}
