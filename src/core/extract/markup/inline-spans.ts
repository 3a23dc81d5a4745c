// Text with its formatting. Writers cut a sentence into many runs of the same format: those are joined again.

import { escapeHtml } from '../html/write/escape-markdown.ts';

export interface TextFormat {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isCode: boolean;
  readonly raised: 'sup' | 'sub' | null;
  readonly href: string | null;
}

/** A line feed in `text` is a line break. */
export interface Span extends TextFormat {
  readonly text: string;
}

export const PLAIN: TextFormat = { isBold: false, isItalic: false, isCode: false, raised: null, href: null };

export function writeSpans(spans: readonly Span[]): string {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (span.text === '') continue;
    if (last !== undefined && isSameFormat(last, span))
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    else joined.push(span);
  }
  return joined.map(writeSpan).join('');
}

export function spansText(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join('');
}

/** Whether everything that can be seen is code. */
export function isAllCode(spans: readonly Span[]): boolean {
  const visible = spans.filter(({ text }) => text.trim() !== '');
  return visible.length > 0 && visible.every(({ isCode }) => isCode);
}

function isSameFormat(a: TextFormat, b: TextFormat): boolean {
  return (
    a.isBold === b.isBold &&
    a.isItalic === b.isItalic &&
    a.isCode === b.isCode &&
    a.raised === b.raised &&
    a.href === b.href
  );
}

function writeSpan(span: Span): string {
  const inner = span.text.trim();
  if (inner === '') return breaks(span.text);
  const start = span.text.indexOf(inner);
  let html = withMarks(breaks(escapeHtml(inner)), span);
  if (span.raised !== null) html = `<${span.raised}>${html}</${span.raised}>`;
  if (span.href !== null) html = `<a href="${escapeHtml(span.href)}">${html}</a>`;
  return `${breaks(span.text.slice(0, start))}${html}${breaks(span.text.slice(start + inner.length))}`;
}

function withMarks(html: string, { isBold, isItalic, isCode }: TextFormat): string {
  if (isCode) return `<code>${html}</code>`;
  const slanted = isItalic ? `<em>${html}</em>` : html;
  return isBold ? `<strong>${slanted}</strong>` : slanted;
}

function breaks(text: string): string {
  return text.replaceAll('\n', '<br>');
}
