// The text of a Word paragraph: runs with their format, links, notes and text boxes.

import { fontOf, isSwitchedOn, type DocxStyles } from './docx-styles.ts';
import { isMonospace, type FlowBlock } from '../../core/extract/markup/flow.ts';
import { PLAIN, type TextFormat, type Span } from '../../core/extract/markup/inline-spans.ts';
import {
  attribute,
  childAt,
  elementsOf,
  relationshipId,
  textOf,
  type XmlElement,
} from '../../core/extract/markup/xml-tree.ts';

export interface DocxContext {
  readonly styles: DocxStyles;
  readonly relationships: ReadonlyMap<string, string>;
  /** The number of a note in brackets; its text is written at the end. */
  readonly noteMark: (kind: 'footnoteReference' | 'endnoteReference', id: string) => string;
  readonly blocks: (container: XmlElement) => readonly FlowBlock[];
}

export interface ParagraphText {
  readonly spans: readonly Span[];
  /** Text boxes that are anchored in the paragraph, written after it. */
  readonly boxes: readonly FlowBlock[];
}

interface TextState {
  readonly context: DocxContext;
  readonly spans: Span[];
  readonly boxes: FlowBlock[];
  /** The instruction of each open field, and whether its result has begun. */
  readonly fields: Array<{ instruction: string; isResult: boolean }>;
}

export function paragraphText(paragraph: XmlElement, context: DocxContext): ParagraphText {
  const state: TextState = { context, spans: [], boxes: [], fields: [] };
  addChildren(paragraph, null, state);
  return { spans: state.spans, boxes: state.boxes };
}

function addChildren(element: XmlElement, href: string | null, state: TextState): void {
  for (const child of elementsOf(element)) addInline(child, href, state);
}

/** Deleted text, and what describes the paragraph. */
const NOT_TEXT = new Set(['del', 'moveFrom', 'pPr', 'rPr', 'sdtPr', 'Fallback']);

function addInline(element: XmlElement, href: string | null, state: TextState): void {
  const { name } = element;
  if (NOT_TEXT.has(name)) return;
  if (name === 'r') addRun(element, href, state);
  else if (name === 'hyperlink') addChildren(element, targetOf(element, state.context) ?? href, state);
  else if (name === 'fldSimple') addChildren(element, fieldTarget(attribute(element, 'instr') ?? '') ?? href, state);
  else if (name === 'AlternateContent') addChildren(childAt(element, 'Choice') ?? element, href, state);
  else if (name === 'oMath' || name === 'oMathPara') state.spans.push({ ...PLAIN, text: textOf(element) });
  else addChildren(element, href, state);
}

function targetOf(link: XmlElement, { relationships }: DocxContext): string | null {
  const target = relationships.get(relationshipId(link));
  const anchor = attribute(link, 'anchor');
  if (target !== undefined) return anchor === null || target.includes('#') ? target : `${target}#${anchor}`;
  return anchor === null ? null : `#${anchor}`;
}

function fieldTarget(instruction: string): string | null {
  const [, local, target] = /^\s*HYPERLINK\s+(\\l\s+)?"([^"]+)"/.exec(instruction) ?? [];
  if (target === undefined) return null;
  return local === undefined ? target : `#${target}`;
}

function addRun(run: XmlElement, href: string | null, state: TextState): void {
  const properties = childAt(run, 'rPr');
  // What a reader does not see is not part of the document.
  if (isSwitchedOn(properties, 'vanish')) return;
  const result = state.fields.findLast(({ isResult }) => isResult);
  const target = href ?? (result === undefined ? null : fieldTarget(result.instruction));
  const format = formatOf(properties, target, state.context);
  for (const part of elementsOf(run)) addRunPart(part, format, state);
}

const CHARACTERS: Readonly<Record<string, string>> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };
const DRAWINGS = new Set(['AlternateContent', 'pict', 'drawing', 'object']);

function addRunPart(part: XmlElement, format: TextFormat, state: TextState): void {
  const { context, spans, fields } = state;
  const { name } = part;
  if (name === 't' && fields.every(({ isResult }) => isResult)) spans.push({ ...format, text: textOf(part) });
  else if (Object.hasOwn(CHARACTERS, name)) spans.push({ ...format, text: characterOf(part) });
  else if (name === 'footnoteReference' || name === 'endnoteReference')
    spans.push({ ...PLAIN, text: context.noteMark(name, attribute(part, 'id') ?? '') });
  else if (name === 'fldChar' || name === 'instrText') readField(part, fields);
  else if (DRAWINGS.has(name)) addBoxes(part, state);
}

/** A break of a page or a column is none of the text. */
function characterOf(part: XmlElement): string {
  return part.name === 'br' && attribute(part, 'type') !== null ? '' : (CHARACTERS[part.name] ?? '');
}

/** A field begins, has its instruction, then its result, and ends. */
function readField(part: XmlElement, fields: TextState['fields']): void {
  const type = attribute(part, 'fldCharType');
  if (type === 'begin') fields.push({ instruction: '', isResult: false });
  if (type === 'end') fields.pop();
  const field = fields.at(-1);
  if (field === undefined) return;
  if (type === 'separate') field.isResult = true;
  if (part.name === 'instrText') field.instruction += textOf(part);
}

/** A drawing has its text in a box; of two versions of a drawing the first is read. */
function addBoxes(element: XmlElement, state: TextState): void {
  for (const child of elementsOf(element)) {
    if (child.name === 'txbxContent') state.boxes.push(...state.context.blocks(child));
    else if (child.name !== 'Fallback') addBoxes(child, state);
  }
}

function formatOf(properties: XmlElement | null, href: string | null, { styles }: DocxContext): TextFormat {
  const raised = attribute(childAt(properties, 'vertAlign'), 'val');
  const style = attribute(childAt(properties, 'rStyle'), 'val');
  return {
    isBold: isSwitchedOn(properties, 'b'),
    isItalic: isSwitchedOn(properties, 'i'),
    isCode: isMonospace(fontOf(properties)) || styles.isCodeRun(style),
    raised: raised === 'superscript' ? 'sup' : raised === 'subscript' ? 'sub' : null,
    href,
  };
}
