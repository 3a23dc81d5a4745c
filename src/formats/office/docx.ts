// Word documents (OOXML, transitional and strict): headings, lists, tables, code, links and notes. Headers, footers,
// comments, deleted text and tables of contents are left out.

import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { markupDocument } from '../../core/extract/markup/markup-document.ts';
import { numberingOf, outlineLevel, readDocxStyles, type DocxStyles, type ParagraphStyle } from './docx-styles.ts';
import { writeDocxTable } from './docx-table.ts';
import { paragraphText, type DocxContext } from './docx-text.ts';
import { writeFlow, type FlowBlock } from '../../core/extract/markup/flow.ts';
import { isAllCode, spansText, writeSpans, type Span } from '../../core/extract/markup/inline-spans.ts';
import {
  dublinCore,
  openPackage,
  relationshipsOf,
  type OfficePackage,
} from '../../core/extract/archive/office-package.ts';
import { attribute, childAt, descendants, elementsOf, type XmlElement } from '../../core/extract/markup/xml-tree.ts';

export function extractDocx(page: RawPage): Extraction {
  const files = openPackage(page, 'Word document');
  const { html, title } = writeDocument(page, files);
  const metadata = dublinCore(childAt(files.xml('docProps/core.xml'), 'coreProperties'));
  return markupDocument(page, { ...metadata, html, title: title ?? metadata.title });
}

function writeDocument(page: RawPage, files: OfficePackage): { readonly html: string; readonly title: string | null } {
  const main = mainPart(files);
  const folder = main.split('/').slice(0, -1).join('/');
  const body = childAt(files.required(main), 'document', 'body');
  const notes = createNotes();
  const titles: string[] = [];
  const contextOf = (part: string): DocxContext => {
    const context: DocxContext = {
      styles,
      relationships: relationshipsOf(files, part),
      noteMark: notes.mark,
      blocks: (container) => containerBlocks(container, context, titles),
    };
    return context;
  };
  const styles = readDocxStyles(files, folder);
  const blocks = body === null ? [] : contextOf(main).blocks(body);
  const noteBlocks = notes.blocks((kind) => {
    const part = `${folder}/${kind === 'footnoteReference' ? 'footnotes' : 'endnotes'}.xml`;
    const root = elementsOf(files.xml(part))[0] ?? null;
    const byId = elementsOf(root).map((note) => [attribute(note, 'id') ?? '', note] as const);
    return { notes: new Map(byId), context: contextOf(part) };
  });
  return { html: writeFlow([...blocks, ...noteBlocks]), title: titles[0] ?? null };
}

/** Some writers number the main part. */
function mainPart({ paths, xml }: OfficePackage): string {
  const types = elementsOf(childAt(xml('[Content_Types].xml'), 'Types'), 'Override');
  const main = types.find((type) =>
    /wordprocessingml\.document\.main|macroEnabled\.main/.test(attribute(type, 'ContentType') ?? ''),
  );
  const named = attribute(main ?? null, 'PartName')?.replace(/^\//, '');
  return named !== undefined && paths.includes(named) ? named : 'word/document.xml';
}

function containerBlocks(container: XmlElement, context: DocxContext, titles: string[]): readonly FlowBlock[] {
  return elementsOf(container).flatMap((element): readonly FlowBlock[] => {
    switch (element.name) {
      case 'p':
        return paragraphBlocks(element, context, titles);
      case 'tbl':
        return [{ kind: 'block', html: writeDocxTable(element, context) }];
      case 'sdt':
        return isContents(element) ? [] : containerBlocks(childAt(element, 'sdtContent') ?? element, context, titles);
      case 'del':
      case 'moveFrom':
      case 'sectPr':
        return [];
      default:
        return containerBlocks(element, context, titles);
    }
  });
}

function isContents(control: XmlElement): boolean {
  const gallery = descendants(childAt(control, 'sdtPr'), 'docPartGallery')[0];
  return attribute(gallery ?? null, 'val') === 'Table of Contents';
}

function paragraphBlocks(element: XmlElement, context: DocxContext, titles: string[]): readonly FlowBlock[] {
  const properties = childAt(element, 'pPr');
  const style = context.styles.paragraph(attribute(childAt(properties, 'pStyle'), 'val'));
  if (style.isContents) return [];
  const { spans, boxes } = paragraphText(element, context);
  if (spansText(spans).trim() === '' && !style.isCode) return boxes;
  const block = textBlock(spans, style, properties, context.styles);
  if (style.isTitle) titles.push(spansText(spans).trim());
  return [block, ...boxes];
}

function textBlock(
  spans: readonly Span[],
  style: ParagraphStyle,
  properties: XmlElement | null,
  styles: DocxStyles,
): FlowBlock {
  const own = outlineLevel(properties);
  const level = style.isTitle ? 1 : own === undefined ? style.headingLevel : own;
  if (level !== null) return { kind: 'heading', level, html: writeSpans(spans.map(withoutWeight)) };
  const numbering = numberingOf(properties) ?? style.numbering;
  const list = numbering === null ? null : styles.listLevel(numbering);
  const isCode = style.isCode || (list === null && isAllCode(spans));
  if (isCode) return { kind: 'code', text: spansText(spans) };
  if (list === null || numbering === null) return { kind: 'paragraph', html: writeSpans(spans) };
  if (list.isContinuation) return { kind: 'continuation', html: writeSpans(spans) };
  return { kind: 'item', level: numbering.level, isOrdered: list.isOrdered, html: writeSpans(spans) };
}

/** A heading is bold anyway. */
function withoutWeight(span: Span): Span {
  return { ...span, isBold: false, isItalic: false };
}

type NoteKind = 'footnoteReference' | 'endnoteReference';

interface Notes {
  readonly mark: (kind: NoteKind, id: string) => string;
  readonly blocks: (
    read: (kind: NoteKind) => { readonly notes: ReadonlyMap<string, XmlElement>; readonly context: DocxContext },
  ) => readonly FlowBlock[];
}

/** Notes are numbered in the order of their marks, each once; a note inside a note is not followed. */
function createNotes(): Notes {
  const numbers = new Map<string, number>();
  return {
    mark(kind, id) {
      const key = `${kind} ${id}`;
      const number = numbers.get(key) ?? numbers.size + 1;
      numbers.set(key, number);
      return `[${number}]`;
    },
    blocks(read) {
      const sources = { footnoteReference: read('footnoteReference'), endnoteReference: read('endnoteReference') };
      return [...numbers].flatMap(([key, number]): readonly FlowBlock[] => {
        const [kind, id] = key.split(' ', 2) as [NoteKind, string];
        const note = sources[kind].notes.get(id);
        if (note === undefined) return [];
        return [{ kind: 'paragraph', html: `[${number}] ${noteHtml(sources[kind].context.blocks(note))}` }];
      });
    },
  };
}

function noteHtml(blocks: readonly FlowBlock[]): string {
  return blocks
    .map((block) => ('html' in block ? block.html : escapeHtml(block.text)))
    .join('<br>')
    .trim();
}
