// Properties of a tag, looked up once when it is parsed.

import { createNameTable } from './name-table.ts';
import { flag } from './node-flags.ts';
import {
  BLOCK_TAGS,
  CLOSES_PARAGRAPH,
  CLOSES_IN_TABLE,
  HEADING_TAGS,
  METADATA_TAGS,
  SCOPE_TAGS,
  NON_TEXT_TAGS,
  VOID_TAGS,
} from './tag-rules.table.ts';

export interface TagInfo {
  readonly name: string;
  /** A small number per known tag, for counting; 0 for every other tag. */
  readonly id: number;
  readonly isVoid: boolean;
  readonly closesParagraph: boolean;
  /** Whether opening the tag closes an open svg. */
  readonly closesSvg: boolean;
  /** Whether opening the tag may close other open elements. */
  readonly closesSiblings: boolean;
  readonly isScope: boolean;
  readonly isMetadata: boolean;
  /** Flags that every element of the tag has. */
  readonly flags: number;
}

const OTHER_NAMES =
  'a abbr acronym annotation annotation-xml b bdi bdo big br button cite code data dfn del em font head hgroup i img image ins kbd label link mark math meta mfrac mi mn mo mover mrow ms msqrt mstyle msub msubsup msup mtd mtext mtr mtable munder munderover q rp rt ruby s samp script semantics small span strike strong style sub sup svg path g circle rect line polygon polyline text tspan defs use symbol time title tt u var wbr picture source colgroup col';

export const TAG_NAMES: readonly string[] = [
  ...new Set([
    ...BLOCK_TAGS,
    ...NON_TEXT_TAGS,
    ...VOID_TAGS,
    ...HEADING_TAGS,
    ...SCOPE_TAGS,
    ...METADATA_TAGS,
    ...OTHER_NAMES.split(' '),
  ]),
];

const CLOSES_SIBLINGS = new Set([...CLOSES_IN_TABLE.keys(), ...HEADING_TAGS, 'li', 'dt', 'dd', 'option', 'a']);

const CLOSES_SVG = new Set(
  'b big br code em embed head i img meta ruby s small span strong strike sub sup tt u var body'.split(' '),
);

const table = createNameTable(TAG_NAMES);
const infos: readonly TagInfo[] = TAG_NAMES.map((name, index) =>
  createTagInfo(name === 'image' ? 'img' : name, index + 1),
);

export function tagAt(html: string, start: number, end: number): TagInfo {
  const index = table.indexAt(html, start, end);
  return index === -1 ? createTagInfo(html.slice(start, end).toLowerCase(), 0) : (infos[index] as TagInfo);
}

const byName: ReadonlyMap<string, TagInfo> = new Map(infos.map((info) => [info.name, info]));

export function tagNamed(name: string): TagInfo {
  return byName.get(name) ?? createTagInfo(name, 0);
}

function createTagInfo(name: string, id: number): TagInfo {
  return {
    name,
    id,
    isVoid: VOID_TAGS.has(name),
    closesParagraph: CLOSES_PARAGRAPH.has(name),
    closesSvg: CLOSES_PARAGRAPH.has(name) || CLOSES_SVG.has(name),
    closesSiblings: CLOSES_SIBLINGS.has(name),
    isScope: SCOPE_TAGS.has(name),
    isMetadata: METADATA_TAGS.has(name),
    flags: flagsOf(name),
  };
}

function flagsOf(name: string): number {
  let bits = NON_TEXT_TAGS.has(name) ? flag.nonText : 0;
  if (name === 'br') bits |= flag.hasLineBreak;
  if (name === 'img') bits |= flag.hasImage;
  if (BLOCK_TAGS.has(name)) bits |= flag.hasBlock;
  if (HEADING_TAGS.has(name)) bits |= flag.hasHeading;
  if (name === 'pre') bits |= flag.hasPre;
  if (name === 'table') bits |= flag.hasTable;
  return bits;
}
