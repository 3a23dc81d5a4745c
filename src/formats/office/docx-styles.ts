// The styles and numberings of a Word file: which paragraphs are headings, code or items of a list.

import { isCodeStyle, isMonospace } from '../../core/extract/markup/flow.ts';
import type { OfficePackage } from '../../core/extract/archive/office-package.ts';
import { attribute, childAt, elementsOf, type XmlElement } from '../../core/extract/markup/xml-tree.ts';

export interface ParagraphStyle {
  readonly name: string;
  /** 1 to 6; null for text. */
  readonly headingLevel: number | null;
  readonly isTitle: boolean;
  readonly isCode: boolean;
  readonly isContents: boolean;
  readonly numbering: Numbering | null;
}

export interface Numbering {
  readonly list: string;
  readonly level: number;
}

export interface ListLevel {
  readonly isOrdered: boolean;
  /** A paragraph of the item before it: its mark is empty. */
  readonly isContinuation: boolean;
}

export interface DocxStyles {
  readonly paragraph: (id: string | null) => ParagraphStyle;
  /** Whether the style of a run is one of code. */
  readonly isCodeRun: (id: string | null) => boolean;
  readonly listLevel: (numbering: Numbering) => ListLevel | null;
}

const MAX_INHERITANCE = 20;

export function readDocxStyles(files: OfficePackage, folder: string): DocxStyles {
  const styles = new Map<string, XmlElement>();
  let defaultId: string | null = null;
  for (const style of elementsOf(childAt(files.xml(`${folder}/styles.xml`), 'styles'), 'style')) {
    const id = attribute(style, 'styleId') ?? '';
    styles.set(id, style);
    if (attribute(style, 'type') === 'paragraph' && isOn(attribute(style, 'default') ?? '0')) defaultId = id;
  }
  const known = new Map<string, ParagraphStyle>();
  const codeRuns = new Map<string, boolean>();
  return {
    paragraph(id) {
      const key = id ?? defaultId ?? '';
      const style = known.get(key) ?? paragraphStyle(chainOf(styles, key));
      known.set(key, style);
      return style;
    },
    isCodeRun(id) {
      if (id === null) return false;
      const isCode = codeRuns.get(id) ?? chainOf(styles, id).some(isCodeFont);
      codeRuns.set(id, isCode);
      return isCode;
    },
    listLevel: readNumbering(files, folder),
  };
}

/** A style and those that it is based on. */
function chainOf(styles: ReadonlyMap<string, XmlElement>, id: string): readonly XmlElement[] {
  const chain: XmlElement[] = [];
  for (let next: string | null = id; next !== null && chain.length < MAX_INHERITANCE;) {
    const style: XmlElement | undefined = styles.get(next);
    if (style === undefined) break;
    chain.push(style);
    next = attribute(childAt(style, 'basedOn'), 'val');
  }
  return chain;
}

function isCodeFont(style: XmlElement): boolean {
  const name = attribute(childAt(style, 'name'), 'val') ?? '';
  return /^(?:verbatim char|html code|source text|code)/i.test(name) || isMonospace(fontOf(childAt(style, 'rPr')));
}

/** The first family of a run's or style's properties. */
export function fontOf(properties: XmlElement | null): string | null {
  const fonts = childAt(properties, 'rFonts');
  return attribute(fonts, 'ascii') ?? attribute(fonts, 'hAnsi');
}

function paragraphStyle(chain: readonly XmlElement[]): ParagraphStyle {
  const names = chain.map((style) => attribute(childAt(style, 'name'), 'val') ?? '');
  const name = names[0] ?? '';
  const isContents = /^(?:toc \d|toc heading|contents(?: \d| heading)|table of figures|index heading)/i.test(name);
  const numberings = chain.map((style) => numberingOf(childAt(style, 'pPr'))).filter((numbering) => numbering !== null);
  const font = chain.map((style) => fontOf(childAt(style, 'rPr'))).find((found) => found !== null);
  return {
    name,
    headingLevel: isContents ? null : headingLevel(chain, names),
    isTitle: name.toLowerCase() === 'title',
    isCode: names.some(isCodeStyle) || isMonospace(font),
    isContents,
    numbering: numberings[0] ?? null,
  };
}

function headingLevel(chain: readonly XmlElement[], names: readonly string[]): number | null {
  for (const [index, style] of chain.entries()) {
    const named = /^heading ([1-9])$/i.exec(names[index] ?? '')?.[1];
    if (named !== undefined) return Math.min(6, Number(named));
    const outline = outlineLevel(childAt(style, 'pPr'));
    if (outline !== undefined) return outline;
  }
  return null;
}

/** Level 9 of an outline is text. Undefined if the properties say nothing. */
export function outlineLevel(properties: XmlElement | null): number | null | undefined {
  const value = attribute(childAt(properties, 'outlineLvl'), 'val');
  if (value === null) return undefined;
  const level = Number(value);
  return Number.isInteger(level) && level >= 0 && level < 9 ? Math.min(6, level + 1) : null;
}

/** The list of a paragraph by its own properties; null if they name none. List 0 takes one away. */
export function numberingOf(properties: XmlElement | null): Numbering | null {
  const numbering = childAt(properties, 'numPr');
  const list = attribute(childAt(numbering, 'numId'), 'val');
  if (numbering === null || list === null) return null;
  const level = Number(attribute(childAt(numbering, 'ilvl'), 'val') ?? 0);
  return { list, level: Number.isInteger(level) && level >= 0 ? level : 0 };
}

function readNumbering(files: OfficePackage, folder: string): DocxStyles['listLevel'] {
  const root = childAt(files.xml(`${folder}/numbering.xml`), 'numbering');
  const definitions = new Map(
    elementsOf(root, 'abstractNum').map((list) => [attribute(list, 'abstractNumId'), levelsOf(list)]),
  );
  const lists = new Map(
    elementsOf(root, 'num').map((list) => [
      attribute(list, 'numId'),
      definitions.get(attribute(childAt(list, 'abstractNumId'), 'val')) ?? null,
    ]),
  );
  return ({ list, level }) => {
    const definition = lists.get(list) ?? null;
    if (definition === null) return null;
    const found = definition.get(String(level));
    const format = attribute(childAt(found ?? null, 'numFmt'), 'val') ?? 'bullet';
    const mark = attribute(childAt(found ?? null, 'lvlText'), 'val') ?? '';
    const isContinuation = format === 'none' || (found !== undefined && mark.trim() === '');
    return { isOrdered: format !== 'bullet', isContinuation };
  };
}

/** By their numbers, because every paragraph of a list asks for one; of levels with the same number the first counts. */
function levelsOf(list: XmlElement): ReadonlyMap<string | null, XmlElement> {
  return new Map(
    elementsOf(list, 'lvl')
      .map((level) => [attribute(level, 'ilvl'), level] as const)
      .toReversed(),
  );
}

/** A switch such as `w:b`: present means on, unless its value says otherwise. */
export function isSwitchedOn(properties: XmlElement | null, name: string): boolean {
  const found = childAt(properties, name);
  return found !== null && isOn(attribute(found, 'val') ?? '1');
}

function isOn(value: string): boolean {
  return value !== '0' && value !== 'false' && value !== 'off' && value !== 'none';
}
