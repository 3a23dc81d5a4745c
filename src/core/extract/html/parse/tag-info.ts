// Everything that is asked of a tag, looked up once when it is read.

import { nameTable } from './name-table.ts';
import { flag } from './node-flags.ts';
import {
  BLOCK_TAGS,
  ENDS_PARAGRAPH,
  ENDS_WITHIN_TABLE,
  HEADING_TAGS,
  INFORMANT_TAGS,
  SCOPE_TAGS,
  SILENT_TAGS,
  VOID_TAGS,
} from './tag-rules.table.ts';

export interface TagInfo {
  readonly name: string;
  /** A small number per known tag, for counting; 0 for every other tag. */
  readonly id: number;
  readonly isVoid: boolean;
  readonly endsParagraph: boolean;
  /** Whether opening the tag ends an open svg. */
  readonly endsDrawing: boolean;
  /** Whether opening the tag may end other open elements. */
  readonly endsOthers: boolean;
  readonly isScope: boolean;
  readonly isInformant: boolean;
  /** Flags that every element of the tag has. */
  readonly flags: number;
}

const OTHER_NAMES =
  'a abbr acronym annotation annotation-xml b bdi bdo big br button cite code data dfn del em font head hgroup i img image ins kbd label link mark math meta mfrac mi mn mo mover mrow ms msqrt mstyle msub msubsup msup mtd mtext mtr mtable munder munderover q rp rt ruby s samp script semantics small span strike strong style sub sup svg path g circle rect line polygon polyline text tspan defs use symbol time title tt u var wbr picture source colgroup col';

export const TAG_NAMES: readonly string[] = [
  ...new Set([
    ...BLOCK_TAGS,
    ...SILENT_TAGS,
    ...VOID_TAGS,
    ...HEADING_TAGS,
    ...SCOPE_TAGS,
    ...INFORMANT_TAGS,
    ...OTHER_NAMES.split(' '),
  ]),
];

const ENDS_OTHERS = new Set([...ENDS_WITHIN_TABLE.keys(), ...HEADING_TAGS, 'li', 'dt', 'dd', 'option', 'a']);

const ENDS_DRAWING = new Set(
  'b big br code em embed head i img meta ruby s small span strong strike sub sup tt u var body'.split(' '),
);

const table = nameTable(TAG_NAMES);
const infos: readonly TagInfo[] = TAG_NAMES.map((name, index) => infoOf(name === 'image' ? 'img' : name, index + 1));

export function tagAt(html: string, start: number, end: number): TagInfo {
  const index = table.indexAt(html, start, end);
  return index === -1 ? infoOf(html.slice(start, end).toLowerCase(), 0) : (infos[index] as TagInfo);
}

const byName: ReadonlyMap<string, TagInfo> = new Map(infos.map((info) => [info.name, info]));

export function tagNamed(name: string): TagInfo {
  return byName.get(name) ?? infoOf(name, 0);
}

function infoOf(name: string, id: number): TagInfo {
  return {
    name,
    id,
    isVoid: VOID_TAGS.has(name),
    endsParagraph: ENDS_PARAGRAPH.has(name),
    endsDrawing: ENDS_PARAGRAPH.has(name) || ENDS_DRAWING.has(name),
    endsOthers: ENDS_OTHERS.has(name),
    isScope: SCOPE_TAGS.has(name),
    isInformant: INFORMANT_TAGS.has(name),
    flags: flagsOf(name),
  };
}

function flagsOf(name: string): number {
  let bits = SILENT_TAGS.has(name) ? flag.silent : 0;
  if (name === 'br') bits |= flag.hasLineBreak;
  if (name === 'img') bits |= flag.hasImage;
  if (BLOCK_TAGS.has(name)) bits |= flag.hasBlock;
  if (HEADING_TAGS.has(name)) bits |= flag.hasHeading;
  if (name === 'pre') bits |= flag.hasPre;
  if (name === 'table') bits |= flag.hasTable;
  return bits;
}
