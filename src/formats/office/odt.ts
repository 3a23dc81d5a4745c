// OpenDocument texts: headings, lists, tables, code, links and notes. Headers, footers, comments, deleted text and tables
// of contents are left out.

import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { markupDocument, paragraph, spanOf, table, type Cell } from '../../core/extract/markup/markup-document.ts';
import { cellHtml, writeFlow, type FlowBlock } from '../../core/extract/markup/flow.ts';
import {
  isAllCode,
  PLAIN,
  spansText,
  writeSpans,
  type TextFormat,
  type Span,
} from '../../core/extract/markup/inline-spans.ts';
import { dublinCore, openPackage } from '../../core/extract/archive/office-package.ts';
import { readOdtStyles, type OdtStyles } from './odt-styles.ts';
import { attribute, childAt, elementsOf, textOf, type XmlElement } from '../../core/extract/markup/xml-tree.ts';

export function extractOdt(page: RawPage): Extraction {
  const files = openPackage(page, 'OpenDocument text');
  const content = childAt(files.required('content.xml'), 'document-content');
  const state: OdtState = {
    styles: readOdtStyles(childAt(files.xml('styles.xml'), 'document-styles'), content),
    notes: [],
    titles: [],
  };
  const body = childAt(content, 'body', 'text');
  const html = `${writeFlow(containerBlocks(body, state))}${state.notes.map(paragraph).join('')}`;
  const metadata = dublinCore(childAt(files.xml('meta.xml'), 'document-meta', 'meta'));
  return markupDocument(page, { ...metadata, html, title: state.titles[0] ?? metadata.title });
}

interface OdtState {
  readonly styles: OdtStyles;
  /** Written at the end, in the order of their marks. */
  readonly notes: string[];
  readonly titles: string[];
}

/** Generated, deleted and annotated text. */
const NOT_TEXT = new Set([
  'table-of-content',
  'alphabetical-index',
  'illustration-index',
  'table-index',
  'tracked-changes',
  'sequence-decls',
  'variable-decls',
  'user-field-decls',
  'forms',
  'annotation',
  'annotation-end',
]);

function containerBlocks(container: XmlElement | null, state: OdtState): readonly FlowBlock[] {
  return elementsOf(container).flatMap((element): readonly FlowBlock[] => {
    if (NOT_TEXT.has(element.name)) return [];
    switch (element.name) {
      case 'h':
        return headingBlocks(element, state);
      case 'p':
        return paragraphBlocks(element, state);
      case 'list':
        return listBlocks(element, 0, state);
      case 'table':
        return [{ kind: 'block', html: writeTable(element, state) }];
      default:
        return containerBlocks(element, state);
    }
  });
}

function headingBlocks(element: XmlElement, state: OdtState): readonly FlowBlock[] {
  const { spans, boxes } = inlineText(element, state);
  const level = Number(attribute(element, 'outline-level') ?? 1);
  const plain = spans.map((span) => ({ ...span, isBold: false, isItalic: false }));
  return [{ kind: 'heading', level: Number.isInteger(level) ? level : 1, html: writeSpans(plain) }, ...boxes];
}

function paragraphBlocks(element: XmlElement, state: OdtState): readonly FlowBlock[] {
  const style = state.styles.paragraph(attribute(element, 'style-name'));
  const { spans, boxes } = inlineText(element, state);
  const text = spansText(spans);
  if (text.trim() === '' && !style.isCode) return boxes;
  if (style.isTitle) {
    state.titles.push(text.trim());
    return [{ kind: 'heading', level: 1, html: writeSpans(spans) }, ...boxes];
  }
  if (style.isCode || isAllCode(spans)) return [{ kind: 'code', text }, ...boxes];
  return [{ kind: 'paragraph', html: writeSpans(spans) }, ...boxes];
}

/** Headings are sometimes written as numbered items. */
function listBlocks(list: XmlElement, level: number, state: OdtState): readonly FlowBlock[] {
  const isOrdered = state.styles.isOrdered(attribute(list, 'style-name'), level);
  return elementsOf(list).flatMap((item): readonly FlowBlock[] => {
    if (item.name !== 'list-item' && item.name !== 'list-header') return [];
    let isFirst = item.name === 'list-item';
    return elementsOf(item).flatMap((child): readonly FlowBlock[] => {
      if (child.name === 'list') return listBlocks(child, level + 1, state);
      return containerBlocks({ name: '', attributes: {}, children: [child] }, state).map((block): FlowBlock => {
        if (block.kind !== 'paragraph') return block;
        const html = block.html;
        const result: FlowBlock = isFirst ? { kind: 'item', level, isOrdered, html } : { kind: 'continuation', html };
        isFirst = false;
        return result;
      });
    });
  });
}

function writeTable(element: XmlElement, state: OdtState): string {
  const rows: Array<readonly Cell[]> = [];
  let headRows = 0;
  const addRows = (container: XmlElement, isHead: boolean): void => {
    for (const child of elementsOf(container)) {
      if (child.name === 'table-header-rows') addRows(child, true);
      else if (child.name === 'table-rows' || child.name === 'table-row-group') addRows(child, isHead);
      else if (child.name === 'table-row') {
        if (isHead) headRows += 1;
        rows.push(elementsOf(child, 'table-cell').map((cell) => tableCell(cell, state)));
      }
    }
  };
  addRows(element, false);
  return table(rows, headRows);
}

function tableCell(cell: XmlElement, state: OdtState): Cell {
  return {
    html: cellHtml(containerBlocks(cell, state)),
    columns: spanOf(attribute(cell, 'number-columns-spanned')),
    rows: spanOf(attribute(cell, 'number-rows-spanned')),
  };
}

interface InlineText {
  readonly spans: Span[];
  /** Text frames that are anchored in the paragraph, written after it. */
  readonly boxes: FlowBlock[];
}

function inlineText(element: XmlElement, state: OdtState): InlineText {
  const text: InlineText = { spans: [], boxes: [] };
  addInline(element, PLAIN, text, state);
  return text;
}

function addInline(element: XmlElement, format: TextFormat, text: InlineText, state: OdtState): void {
  for (const child of element.children) {
    if (typeof child === 'string') text.spans.push({ ...format, text: child.replace(/\s+/g, ' ') });
    else if (!NOT_TEXT.has(child.name)) addInlineElement(child, format, text, state);
  }
}

/** Spaces beyond this are layout. */
const MAX_SPACES = 200;

function addInlineElement(child: XmlElement, format: TextFormat, text: InlineText, state: OdtState): void {
  switch (child.name) {
    case 's':
      text.spans.push({ ...format, text: spaces(attribute(child, 'c')) });
      break;
    case 'tab':
    case 'line-break':
      text.spans.push({ ...format, text: child.name === 'tab' ? '\t' : '\n' });
      break;
    case 'span': {
      const style = state.styles.text(attribute(child, 'style-name'));
      if (!style.isHidden) addInline(child, { ...format, ...style.format }, text, state);
      break;
    }
    case 'a':
      addInline(child, { ...format, href: attribute(child, 'href') }, text, state);
      break;
    case 'note':
      text.spans.push({ ...PLAIN, text: addNote(child, state) });
      break;
    case 'frame':
    case 'custom-shape':
      text.boxes.push(...containerBlocks(child, state));
      break;
    case 'ruby':
      text.spans.push({ ...format, text: textOf(childAt(child, 'ruby-base')) });
      break;
    default:
      addInline(child, format, text, state);
  }
}

function spaces(count: string | null): string {
  const wanted = Number(count ?? 1);
  return ' '.repeat(Number.isInteger(wanted) && wanted > 0 ? Math.min(MAX_SPACES, wanted) : 1);
}

/** The mark of a note, whose text is written at the end. */
function addNote(note: XmlElement, state: OdtState): string {
  const body = cellHtml(containerBlocks(childAt(note, 'note-body'), state));
  const mark = `[${state.notes.length + 1}]`;
  state.notes.push(`${mark} ${body}`);
  return mark;
}
