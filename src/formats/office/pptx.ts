// Presentations (OOXML): every slide is a section below its title, with its lists, tables and notes. Hidden slides, dates,
// footers and slide numbers are left out.

import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { markupDocument, spanOf, table, type Cell } from '../../core/extract/markup/markup-document.ts';
import { cellHtml, isMonospace, writeFlow, type FlowBlock } from '../../core/extract/markup/flow.ts';
import {
  isAllCode,
  PLAIN,
  spansText,
  writeSpans,
  type TextFormat,
  type Span,
} from '../../core/extract/markup/inline-spans.ts';
import {
  dublinCore,
  openPackage,
  relationshipsOf,
  type OfficePackage,
} from '../../core/extract/archive/office-package.ts';
import {
  attribute,
  childAt,
  descendants,
  elementsOf,
  relationshipId,
  textOf,
  type XmlElement,
} from '../../core/extract/markup/xml-tree.ts';

const MAIN = 'ppt/presentation.xml';

export function extractPptx(page: RawPage): Extraction {
  const files = openPackage(page, 'presentation');
  const list = childAt(files.required(MAIN), 'presentation', 'sldIdLst');
  const targets = relationshipsOf(files, MAIN);
  // A slide is written once, however often it is listed.
  const slides = new Set(elementsOf(list, 'sldId').map((slide) => targets.get(relationshipId(slide)) ?? ''));
  const html = [...slides].map((part, index) => writeSlide(files, part, index + 1)).join('');
  const metadata = dublinCore(childAt(files.xml('docProps/core.xml'), 'coreProperties'));
  return markupDocument(page, { ...metadata, html });
}

function writeSlide(files: OfficePackage, part: string, number: number): string {
  const slide = elementsOf(files.xml(part))[0] ?? null;
  if (slide === null || attribute(slide, 'show') === '0') return '';
  const relationships = relationshipsOf(files, part);
  const shapes = shapesOf(childAt(slide, 'cSld', 'spTree'));
  const title = shapes.find(isTitle);
  const heading = title === undefined ? '' : writeSpans(titleSpans(title, relationships)).trim();
  const isOpening = number === 1 && title !== undefined && placeholder(title) === 'ctrTitle';
  const blocks: FlowBlock[] = [
    // A slide without a title still needs a name to be cited by.
    { kind: 'heading', level: isOpening ? 1 : 2, html: heading === '' ? `Slide ${number}` : heading },
    ...shapes.filter((shape) => shape !== title).flatMap((shape) => shapeBlocks(shape, relationships)),
    ...notesOf(files, relationships),
  ];
  return writeFlow(blocks);
}

type Relationships = ReadonlyMap<string, string>;

/** Shapes, pictures and tables in their order, out of their groups. */
function shapesOf(tree: XmlElement | null): readonly XmlElement[] {
  return elementsOf(tree).flatMap((element) => {
    if (element.name === 'grpSp') return shapesOf(element);
    if (element.name === 'AlternateContent') return shapesOf(childAt(element, 'Choice'));
    return element.name === 'sp' || element.name === 'graphicFrame' ? [element] : [];
  });
}

/** The type of a placeholder, `body` if it has none; null for a shape of the slide's own. */
function placeholder(shape: XmlElement): string | null {
  const found = childAt(shape, 'nvSpPr', 'nvPr', 'ph');
  return found === null ? null : (attribute(found, 'type') ?? 'body');
}

function isTitle(shape: XmlElement): boolean {
  const type = placeholder(shape);
  return type === 'title' || type === 'ctrTitle';
}

function titleSpans(shape: XmlElement, relationships: Relationships): readonly Span[] {
  const paragraphs = elementsOf(childAt(shape, 'txBody'), 'p').map((item) => paragraphSpans(item, relationships));
  return paragraphs
    .flatMap((spans, index) => (index === 0 ? spans : [{ ...PLAIN, text: ' ' }, ...spans]))
    .map((span) => ({ ...span, text: span.text.replaceAll('\n', ' '), isBold: false, isItalic: false }));
}

const REPEATED = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);

function shapeBlocks(shape: XmlElement, relationships: Relationships): readonly FlowBlock[] {
  const type = placeholder(shape);
  if (type !== null && REPEATED.has(type)) return [];
  const found = descendants(childAt(shape, 'graphic'), 'tbl')[0];
  if (found !== undefined) return [{ kind: 'block', html: writeTable(found, relationships) }];
  const paragraphs = elementsOf(childAt(shape, 'txBody'), 'p');
  // The text of a body is a list, unless it has one paragraph or its marks are switched off.
  const isList = type === 'body' && paragraphs.filter((item) => textOf(item).trim() !== '').length > 1;
  return withBlankLines(paragraphs.map((item) => paragraphBlocks(item, isList, relationships)));
}

/** LibreOffice writes each line of code as a paragraph: an empty one between two of them is a blank line. */
function withBlankLines(paragraphs: ReadonlyArray<readonly FlowBlock[]>): readonly FlowBlock[] {
  const out: FlowBlock[] = [];
  let blank: FlowBlock[] = [];
  for (const blocks of paragraphs) {
    if (blocks.length === 0) blank.push({ kind: 'code', text: '' });
    else {
      if (out.at(-1)?.kind === 'code' && blocks[0]?.kind === 'code') out.push(...blank);
      out.push(...blocks);
      blank = [];
    }
  }
  return out;
}

function paragraphBlocks(item: XmlElement, isList: boolean, relationships: Relationships): readonly FlowBlock[] {
  const spans = paragraphSpans(item, relationships);
  if (spansText(spans).trim() === '') return [];
  const properties = childAt(item, 'pPr');
  // Bold and set apart from what is above: the title of a part of the slide, which happens to be code.
  const isTitled = childAt(properties, 'spcBef') !== null && spans.every(({ isBold }) => isBold);
  if (isAllCode(spans) && !isTitled) return [{ kind: 'code', text: spansText(spans) }];
  const isOrdered = childAt(properties, 'buAutoNum') !== null;
  const isMarked = isOrdered || childAt(properties, 'buChar') !== null;
  const isUnmarked = childAt(properties, 'buNone') !== null;
  const html = writeSpans(spans);
  if (!isMarked && (isUnmarked || !isList)) return [{ kind: 'paragraph', html }];
  const level = Number(attribute(properties, 'lvl') ?? 0);
  return [{ kind: 'item', level: Number.isInteger(level) && level > 0 ? level : 0, isOrdered, html }];
}

function paragraphSpans(item: XmlElement, relationships: Relationships): readonly Span[] {
  return elementsOf(item).flatMap((run): readonly Span[] => {
    if (run.name === 'br') return [{ ...PLAIN, text: '\n' }];
    if (run.name !== 'r' && run.name !== 'fld') return [];
    return [{ ...formatOf(childAt(run, 'rPr'), relationships), text: textOf(childAt(run, 't')) }];
  });
}

function formatOf(properties: XmlElement | null, relationships: Relationships): TextFormat {
  const link = childAt(properties, 'hlinkClick');
  const target = link === null ? undefined : relationships.get(relationshipId(link));
  return {
    ...PLAIN,
    isBold: attribute(properties, 'b') === '1',
    isItalic: attribute(properties, 'i') === '1',
    isCode: isMonospace(attribute(childAt(properties, 'latin'), 'typeface')),
    // A link to another slide has no address.
    href: target === undefined || target.startsWith('ppt/') ? null : target,
  };
}

function writeTable(found: XmlElement, relationships: Relationships): string {
  const rows = elementsOf(found, 'tr').map((row) =>
    elementsOf(row, 'tc')
      .filter((cell) => attribute(cell, 'hMerge') !== '1' && attribute(cell, 'vMerge') !== '1')
      .map((cell): Cell => {
        const paragraphs = elementsOf(childAt(cell, 'txBody'), 'p');
        return {
          html: cellHtml(paragraphs.flatMap((item) => paragraphBlocks(item, false, relationships))),
          columns: spanOf(attribute(cell, 'gridSpan')),
          rows: spanOf(attribute(cell, 'rowSpan')),
        };
      }),
  );
  return table(rows, attribute(childAt(found, 'tblPr'), 'firstRow') === '1' ? 1 : 0);
}

/** Speaker notes, as a quotation. */
function notesOf(files: OfficePackage, relationships: Relationships): readonly FlowBlock[] {
  const part = [...relationships.values()].find((path) => path.startsWith('ppt/notesSlides/'));
  const tree = part === undefined ? null : (elementsOf(files.xml(part))[0] ?? null);
  const body = shapesOf(childAt(tree, 'cSld', 'spTree')).filter((shape) => placeholder(shape) === 'body');
  const blocks = body.flatMap((shape) =>
    elementsOf(childAt(shape, 'txBody'), 'p').flatMap((item) => paragraphBlocks(item, false, new Map())),
  );
  return blocks.length === 0 ? [] : [{ kind: 'block', html: `<blockquote>${writeFlow(blocks)}</blockquote>\n` }];
}
