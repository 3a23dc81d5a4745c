// The blocks of AsciiDoc, recognized by their first line and the attributes above it.

import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { admonition, codeBlock, heading, paragraph } from '../../core/extract/markup/markup-document.ts';
import { dedent, isBlank } from '../../core/extract/markup/indented-lines.ts';
import { sectionTitle, startsBlock } from './asciidoc-lines.ts';
import { readBlockAttributes, type AsciidocContext, type BlockAttributes, type Written } from './asciidoc-context.ts';
import { replaceAttributes } from './asciidoc-inline.ts';
import { isListItem, writeAsciidocList } from './asciidoc-lists.ts';
import { writeAsciidocTable } from './asciidoc-tables.ts';

export function writeAsciidocBlocks(lines: readonly string[], context: AsciidocContext): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const written = writeAsciidocBlock(lines, at, context, false);
    parts.push(written.html);
    at = Math.max(at + 1, written.end);
  }
  return parts.join('');
}

export function writeAsciidocBlock(
  lines: readonly string[],
  at: number,
  context: AsciidocContext,
  inList: boolean,
): Written {
  const single = writeSingleLine(lines, at, context);
  if (single !== null) return single;
  const { attributes, end: start } = readBlockAttributes(lines, at);
  if (start >= lines.length || isBlank(lines[start])) return { html: '', end: start };
  if (start > at) {
    const after = writeSingleLine(lines, start, context, attributes.id);
    if (after !== null) return after;
  }
  const title = attributes.title === null ? '' : paragraph(`<strong>${context.inline(attributes.title)}</strong>`);
  const written =
    writeDelimited(lines, start, context, attributes) ??
    (isListItem(lines[start] as string)
      ? writeAsciidocList(lines, start, context)
      : writeParagraph(lines, start, { context, attributes, inList }));
  return { html: title + written.html, end: written.end };
}

/** Comments, attribute entries, sections, images and other blocks of one line. */
function writeSingleLine(
  lines: readonly string[],
  at: number,
  context: AsciidocContext,
  id: string | null = null,
): Written | null {
  const line = lines[at] as string;
  if (/^\/\/(?!\/\/)/.test(line)) return { html: '', end: at + 1 };
  if (/^:!?[\w-]+!?:(?: |$)/.test(line)) return defineAttribute(lines, at, context);
  const section = sectionTitle(lines, at);
  if (section !== null) return writeSection(section, context, { id, lines });
  const html = macroHtml(line);
  return html === null ? null : { html, end: at + 1 };
}

function macroHtml(line: string): string | null {
  const [, name, target = '', list = ''] = /^(image|video|audio|toc|include)::(\S*?)\[(.*)\]$/.exec(line) ?? [];
  if (name === 'image') {
    const [alt = ''] = list.split(',');
    return paragraph(`<img src="${escapeHtml(target)}" alt="${escapeHtml(alt)}">`);
  }
  if (name !== undefined || /^<{3,}$/.test(line)) return '';
  return /^(?:'{3,}|-{3}|\*{3})$/.test(line) ? '<hr>\n' : null;
}

function defineAttribute(lines: readonly string[], at: number, { attributes, document }: AsciidocContext): Written {
  const [, name = '', first = ''] = /^:(!?[\w-]+!?):(?: +(.*))?$/.exec(lines[at] as string) ?? [];
  let value = first;
  let end = at + 1;
  while (/ [\\+]$/.test(value) && end < lines.length)
    value = `${value.slice(0, -2)} ${(lines[end++] as string).trim()}`;
  const key = name.replaceAll('!', '').toLowerCase();
  if (name.includes('!')) attributes.delete(key);
  else attributes.set(key, replaceAttributes(value, attributes).slice(0, 2000));
  if (key === 'leveloffset')
    document.levelOffset = (/^[+-]/.test(value) ? document.levelOffset : 0) + (Number.parseInt(value, 10) || 0);
  return { html: '', end };
}

interface Section {
  readonly level: number;
  readonly title: string;
  readonly end: number;
}

function writeSection(
  section: Section,
  { document, inline }: AsciidocContext,
  { id, lines }: { readonly id: string | null; readonly lines: readonly string[] },
): Written {
  const [, inlineId, text = section.title] = /^\[\[([^\]]+)\]\]\s*(.*)$/.exec(section.title) ?? [];
  const level = section.level + document.levelOffset;
  let { end } = section;
  // The author and revision lines of a document follow its title directly.
  if (level === 1 && document.title === null) {
    document.title = text;
    while (
      end < lines.length &&
      end < section.end + 2 &&
      /^(?:[\w .'-]{1,80}<[^<>]+@[^<>]+>|v?\d+(?:\.\d+)*,.*)$/.test(lines[end] as string)
    )
      end += 1;
  }
  return { html: heading(level, inline(text), id ?? inlineId ?? null), end };
}

const DELIMITER = /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|`{3,}[\w+-]*|[|,:!]={3,})$/;

function writeDelimited(
  lines: readonly string[],
  at: number,
  context: AsciidocContext,
  attributes: BlockAttributes,
): Written | null {
  const line = lines[at] as string;
  if (!DELIMITER.test(line)) return null;
  const close = line.startsWith('```') ? (/^`+/.exec(line) as RegExpExecArray)[0] : line;
  let end = at + 1;
  while (end < lines.length && lines[end] !== close) end += 1;
  const content = lines.slice(at + 1, end);
  return { html: delimitedHtml(line, content, context, attributes), end: end + 1 };
}

function delimitedHtml(
  delimiter: string,
  content: readonly string[],
  context: AsciidocContext,
  attributes: BlockAttributes,
): string {
  const [style = ''] = attributes.positional;
  const mark = delimiter[0] as string;
  if (delimiter === '--' || '=*_'.includes(mark)) {
    const isQuote = mark === '_' && style !== 'verse';
    return styledHtml(isQuote ? 'quote' : style, content, context, attributes) ?? context.blocks(content);
  }
  if ('|,:!'.includes(mark)) return writeAsciidocTable(delimiter, content, context, attributes);
  if (mark === '`') return codeBlock(content.join('\n'), delimiter.replace(/^`+/, '') || null);
  if ('.-'.includes(mark)) return codeBlock(content.join('\n'), codeLanguage(attributes));
  // What is left are comments, and text for the output format.
  return FORMULAS.has(style) ? codeBlock(content.join('\n'), 'tex') : '';
}

const FORMULAS = new Set(['stem', 'latexmath']);

const LABELS: ReadonlyMap<string, string> = new Map(
  ['Note', 'Tip', 'Important', 'Warning', 'Caution'].map((label) => [label.toUpperCase(), label]),
);

function styledHtml(
  style: string,
  content: readonly string[],
  context: AsciidocContext,
  attributes: BlockAttributes,
): string | null {
  const label = LABELS.get(style);
  if (label !== undefined) return admonition(label.toLowerCase(), label, context.blocks(content));
  if (style === 'source' || style === 'listing' || style === 'literal')
    return codeBlock(content.join('\n'), codeLanguage(attributes));
  if (style === 'verse' || style === 'synopsis') return codeBlock(plainText(context.inline(content.join('\n'))), null);
  if (style === 'quote') return `<blockquote>${context.blocks(content)}</blockquote>\n`;
  if (FORMULAS.has(style)) return codeBlock(content.join('\n'), 'tex');
  return style === 'comment' ? '' : null;
}

function codeLanguage({ positional, named }: BlockAttributes): string | null {
  return named.get('language') ?? positional[1] ?? null;
}

function plainText(html: string): string {
  return html
    .replace(/<br>/g, '')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

interface ParagraphContext {
  readonly context: AsciidocContext;
  readonly attributes: BlockAttributes;
  readonly inList: boolean;
}

function writeParagraph(lines: readonly string[], at: number, location: ParagraphContext): Written {
  const { context, attributes } = location;
  const end = endOfText(lines, at, location);
  const content = lines.slice(at, end);
  const [style = ''] = attributes.positional;
  // The other styles contain blocks, which would be this paragraph again.
  const styled = LABELS.has(style) || style === 'quote' ? null : styledHtml(style, content, context, attributes);
  if (styled !== null) return { html: styled, end };
  if (/^\s/.test(content[0] as string) && style !== 'normal')
    return { html: codeBlock(dedent(content).join('\n'), null), end };
  const text = content.map((line) => line.trim()).join('\n');
  const [, label = style, labelled = text] = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION): +([^]*)$/.exec(text) ?? [];
  const html = paragraph(context.inline(labelled));
  const title = LABELS.get(label);
  if (title !== undefined) return { html: admonition(title.toLowerCase(), title, html), end };
  return { html: style === 'quote' ? `<blockquote>${html}</blockquote>\n` : html, end };
}

function endOfText(lines: readonly string[], at: number, { inList }: ParagraphContext): number {
  const isEnd = (line: string): boolean => isBlank(line) || (inList && endsItem(line));
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] as string) && !startsBlock(lines, end)) end += 1;
  return end;
}

function endsItem(line: string): boolean {
  return line === '+' || isListItem(line);
}
