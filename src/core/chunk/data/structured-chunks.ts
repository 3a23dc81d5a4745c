// Chunks keyed data: one chunk per top-level member, groups of neighbouring members below.

import type { Document } from '../../model/document.ts';
import type { ChunkLimits, ChunkResult } from '../chunker.ts';
import { draftChunks } from '../draft-chunks.ts';
import { finalizeChunks } from '../finalize-chunks.ts';
import { chunkAsText, titleContext } from '../text-chunker.ts';
import { lineCutWarnings, splitIntoUnits, type CutLine } from '../text-units.ts';
import type { ChunkDraft } from '../unit.ts';
import { lineStart } from '../../text/lines.ts';

export interface Member {
  /** A name in an object, an index in an array. */
  readonly key: string | number;
  /** Where the member's own text starts. */
  readonly at: number;
  /** The member's span; the spans of all members cover their parent's span without a gap. */
  readonly start: number;
  readonly end: number;
}

export interface Structure {
  /** The whole document, as a member. */
  readonly root: Member;
  /** The members of the value at `parent`; null if it is a scalar or cannot be parsed. */
  readonly members: (parent: Member) => readonly Member[] | null;
}

/** Builds members from their start offsets. A member that starts its line includes the line's indentation. */
export function coverParent(
  text: string,
  parent: Member,
  starts: ReadonlyArray<{ readonly key: string | number; readonly at: number }>,
): Member[] {
  const cuts = starts.map(({ at }, index) => (index === 0 ? parent.start : lineStart(text, at)));
  return starts.map(({ key, at }, index) => ({
    key,
    at,
    start: cuts[index] ?? at,
    end: cuts[index + 1] ?? parent.end,
  }));
}

/** `$.name`, `$["other name"]`, `$[3]`. */
function jsonPathOf(keys: ReadonlyArray<string | number>): string {
  return `$${keys.map(jsonPathStep).join('')}`;
}

function jsonPathStep(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

type Keys = ReadonlyArray<string | number>;

/** Elements of an array, and short members of a large object, that share a chunk. */
const GROUP_MEMBERS = 50;
/** Above this the members of an object are grouped, or a flat table of translations would use up the chunk limit. */
const MANY_MEMBERS = 200;
/** Data nested deeper than this below the root is chunked as text. */
const MAX_DEPTH = 8;

export function chunkStructure(document: Document, limits: ChunkLimits, structure: Structure): ChunkResult {
  const { text, format } = document;
  if (structure.members(structure.root) === null)
    return chunkAsText(document, limits, 'data', [
      { kind: 'cut-as-text', format, reason: 'neither an object nor an array with members' },
    ]);
  const walk: Walk = { text, structure, limits, headings: titleContext(document).headings, drafts: [], cutLines: [] };
  cutMember(walk, structure.root, []);
  return finalizeChunks(document, walk.drafts, limits, lineCutWarnings(text, walk.cutLines));
}

interface Walk {
  readonly text: string;
  readonly structure: Structure;
  readonly limits: ChunkLimits;
  readonly headings: readonly string[];
  readonly drafts: ChunkDraft[];
  readonly cutLines: CutLine[];
}

function cutMember(walk: Walk, member: Member, keys: Keys): void {
  const isRoot = keys.length === 0;
  const fits = member.end - member.start <= walk.limits.targetChars;
  if (fits && !isRoot) return addDrafts(walk, member, jsonPathOf(keys));
  const members = keys.length < MAX_DEPTH ? walk.structure.members(member) : null;
  if (members === null) return addDrafts(walk, member, jsonPathOf(keys));
  const isList = typeof members[0]?.key === 'number';
  if (isRoot && !isList && members.length <= MANY_MEMBERS) {
    for (const child of members) cutMember(walk, child, [child.key]);
  } else cutInGroups(walk, members, keys);
}

/** Groups as many neighbours as fit the target; a member that does not fit is cut on its own. */
function cutInGroups(walk: Walk, members: readonly Member[], keys: Keys): void {
  const { targetChars } = walk.limits;
  let group: Member[] = [];
  const close = (): void => {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) return;
    addDrafts(walk, { ...first, end: last.end }, groupJsonPath(keys, first, last));
    group = [];
  };
  for (const member of members) {
    const start = group[0]?.start ?? member.start;
    if (group.length === GROUP_MEMBERS || member.end - start > targetChars) close();
    if (member.end - member.start > targetChars) cutMember(walk, member, [...keys, member.key]);
    else group.push(member);
  }
  close();
}

/** `$.items[0:50]` for elements, `$.table{first..last}` for names. */
function groupJsonPath(keys: Keys, first: Member, last: Member): string {
  const parent = jsonPathOf(keys);
  if (typeof first.key === 'number') return `${parent}[${first.key}:${Number(last.key) + 1}]`;
  return first.key === last.key ? jsonPathOf([...keys, first.key]) : `${parent}{${first.key}..${last.key}}`;
}

function addDrafts({ text, limits, headings, drafts, cutLines }: Walk, member: Member, jsonPath: string): void {
  const passageKind = 'data';
  const { start, end } = member;
  const split = splitIntoUnits(text, { start, end, passageKind }, limits);
  const context = { headings, anchor: null, symbol: null, jsonPath };
  for (const draft of draftChunks(text, split.units, context, limits)) drafts.push({ ...draft, passageKind });
  for (const line of split.cutLines) cutLines.push(line);
}
