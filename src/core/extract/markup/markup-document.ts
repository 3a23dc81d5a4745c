// The document of a format that has no Markdown. Its reader writes plain semantic HTML, and the writer of web
// pages turns that into Markdown: headings, lists, tables, code and admonitions look the same whatever they come from.

import type { OutlineEntry } from '../../model/document.ts';
import { cleanText } from '../decode/clean-text.ts';
import { titleFromUrl } from '../decode/media-type.ts';
import { NO_METADATA, type Extraction, type RawPage } from '../extractor.ts';
import { collectLinks } from '../html/metadata/collect-links.ts';
import { parseTree } from '../html/parse/parse-tree.ts';
import { measure } from '../html/select/measure.ts';
import { writeBlocks } from '../html/write/blocks.ts';
import { escapeHtml } from '../html/write/escape-markdown.ts';
import { createHrefResolver } from '../html/write/resolve-href.ts';
import { createSlugger } from '../markdown/headings.ts';

export interface Markup {
  /** The content only: nothing in it is navigation. */
  readonly html: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly language?: string | null;
}

export function markupDocument(page: RawPage, markup: Markup): Extraction {
  const tree = parseTree(`<body>${markup.html}`);
  const resolve = createHrefResolver(page.url, undefined);
  measure(tree.body, { keepChrome: true });
  const { lines, outline } = writeBlocks(tree.body.children, tree.body, resolve);
  const text = lines.toString();
  const firstHeading = outline.find(({ level }) => level === 1) ?? outline[0];
  return {
    document: {
      url: page.url,
      format: 'markdown',
      title: markup.title || (firstHeading?.text ?? titleFromUrl(page.url)),
      description: markup.description || null,
      language: markup.language || null,
      codeLanguage: null,
      canonical: null,
      text: text === '' ? '\n' : text,
      outline: withAnchors(outline),
      links: collectLinks(tree.anchors, tree.body, resolve),
    },
    metadata: { ...NO_METADATA, linksDropped: tree.anchorsDropped },
  };
}

function withAnchors(outline: readonly OutlineEntry[]): readonly OutlineEntry[] {
  const slug = createSlugger();
  return outline.map((entry) => ({ ...entry, anchor: entry.anchor ?? slug(entry.text) }));
}

/** `content` is HTML already. */
export function paragraph(content: string): string {
  return content.trim() === '' ? '' : `<p>${content}</p>\n`;
}

export function heading(level: number, content: string, id: string | null = null): string {
  const tag = `h${Math.max(1, Math.min(6, level))}`;
  return `<${tag}${id === null ? '' : ` id="${escapeHtml(id)}"`}>${content}</${tag}>\n`;
}

/** `code` is text; blank lines at both ends are dropped. */
export function codeBlock(code: string, language: string | null): string {
  const text = cleanText(code)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (text === '') return '';
  const name = language?.toLowerCase().replace(/[^\w+#.-]/g, '') ?? '';
  return `<pre><code${name === '' ? '' : ` class="language-${name}"`}>${escapeHtml(text)}</code></pre>\n`;
}

export function admonition(kind: string, title: string, content: string): string {
  return `<div class="admonition ${kind}"><p class="admonition-title">${title}</p>\n${content}</div>\n`;
}

export interface Cell {
  readonly html: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** The first `headRows` rows are the header. */
export function table(rows: ReadonlyArray<readonly Cell[]>, headRows: number, caption = ''): string {
  const filled = rows.filter((row) => row.some(({ html }) => html.trim() !== ''));
  if (filled.length === 0) return '';
  const written = filled.map((row, index) => {
    const tag = index < headRows ? 'th' : 'td';
    return `<tr>${row.map((cell) => `<${tag}${spans(cell)}>${cell.html}</${tag}>`).join('')}</tr>\n`;
  });
  const head = written.slice(0, headRows).join('');
  return `${paragraph(caption)}<table>${head === '' ? '' : `<thead>${head}</thead>`}<tbody>${written.slice(headRows).join('')}</tbody></table>\n`;
}

const MAX_SPAN = 1000;

/** The columns or rows that a cell spans, as an office file writes them. */
export function spanOf(value: string | null): number {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span >= 1 ? Math.min(MAX_SPAN, span) : 1;
}

function spans({ columns = 1, rows = 1 }: Cell): string {
  return `${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}`;
}
