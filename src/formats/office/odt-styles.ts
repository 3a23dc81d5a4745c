// The styles of an OpenDocument text, its own and those that its writer made for single paragraphs.

import { isCodeStyle, isMonospace } from '../../core/extract/markup/flow.ts';
import type { TextFormat } from '../../core/extract/markup/inline-spans.ts';
import { attribute, childAt, elementsOf, type XmlElement } from '../../core/extract/markup/xml-tree.ts';

export interface OdtStyles {
  readonly paragraph: (name: string | null) => { readonly isTitle: boolean; readonly isCode: boolean };
  readonly text: (name: string | null) => { readonly isHidden: boolean; readonly format: Partial<TextFormat> };
  /** `level` counts from 0. A nested list without a style has that of the list around it. */
  readonly isOrdered: (name: string | null, level: number) => boolean;
}

const MAX_INHERITANCE = 20;

export function readOdtStyles(styles: XmlElement | null, content: XmlElement | null): OdtStyles {
  const groups = [childAt(styles, 'styles'), childAt(styles, 'automatic-styles'), childAt(content, 'automatic-styles')];
  const byName = new Map<string, XmlElement>();
  const lists = new Map<string, ReadonlyMap<string | null, XmlElement>>();
  const fonts = new Map<string, string>();
  for (const declarations of [childAt(styles, 'font-face-decls'), childAt(content, 'font-face-decls')])
    for (const font of elementsOf(declarations, 'font-face'))
      fonts.set(
        attribute(font, 'name') ?? '',
        `${attribute(font, 'font-family')} ${attribute(font, 'font-pitch') === 'fixed' ? 'mono' : ''}`,
      );
  for (const style of groups.flatMap((group) => elementsOf(group))) {
    const name = attribute(style, 'name') ?? '';
    if (style.name === 'style') byName.set(`${attribute(style, 'family')} ${name}`, style);
    if (style.name === 'list-style') lists.set(name, levelsOf(style));
  }
  const chainOf = (family: string, name: string | null): readonly XmlElement[] => {
    const chain: XmlElement[] = [];
    for (let next = name; next !== null && chain.length < MAX_INHERITANCE;) {
      const style: XmlElement | undefined = byName.get(`${family} ${next}`);
      if (style === undefined) break;
      chain.push(style);
      next = attribute(style, 'parent-style-name');
    }
    return chain;
  };
  let lastList: ReadonlyMap<string | null, XmlElement> | undefined;
  return {
    paragraph(name) {
      const chain = chainOf('paragraph', name);
      const names = chain.map((style) => styleName(style));
      const font = chain.map((style) => fontOf(style, fonts)).find((found) => found !== null);
      return { isTitle: names.includes('Title'), isCode: names.some(isCodeStyle) || isMonospace(font) };
    },
    text: (name) => textStyle(chainOf('text', name), fonts),
    isOrdered(name, level) {
      lastList = lists.get(name ?? '') ?? lastList;
      const found = lastList?.get(String(level + 1));
      return found?.name === 'list-level-style-number' && (attribute(found, 'num-format') ?? '') !== '';
    },
  };
}

/** By their numbers, because every list asks for one; of levels with the same number the first counts. */
function levelsOf(list: XmlElement): ReadonlyMap<string | null, XmlElement> {
  return new Map(
    elementsOf(list)
      .map((level) => [attribute(level, 'level'), level] as const)
      .toReversed(),
  );
}

/** Names are encoded where they have spaces: `Preformatted_20_Text`. */
function styleName(style: XmlElement): string {
  return attribute(style, 'display-name') ?? (attribute(style, 'name') ?? '').replaceAll('_20_', ' ');
}

function fontOf(style: XmlElement, fonts: ReadonlyMap<string, string>): string | null {
  const properties = childAt(style, 'text-properties');
  const name = properties?.attributes['style:font-name'] ?? null;
  return properties?.attributes['fo:font-family'] ?? (name === null ? null : (fonts.get(name) ?? name));
}

function textStyle(
  chain: readonly XmlElement[],
  fonts: ReadonlyMap<string, string>,
): { readonly isHidden: boolean; readonly format: Partial<TextFormat> } {
  const value = (name: string): string | null =>
    chain.map((style) => attribute(childAt(style, 'text-properties'), name)).find((found) => found !== null) ?? null;
  const font = chain.map((style) => fontOf(style, fonts)).find((found) => found !== null);
  const isNamedCode = chain.some((style) => /^(?:source text|teletype|code|verbatim char)/i.test(styleName(style)));
  const position = value('text-position') ?? '';
  return {
    isHidden: value('display') === 'none',
    format: {
      ...(value('font-weight') === 'bold' && { isBold: true }),
      ...(value('font-style') === 'italic' && { isItalic: true }),
      ...((isNamedCode || isMonospace(font)) && { isCode: true }),
      ...(position.startsWith('super') && { raised: 'sup' as const }),
      ...(position.startsWith('sub') && { raised: 'sub' as const }),
    },
  };
}
