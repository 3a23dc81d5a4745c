// Chunks keyed data: one chunk per member where the rules say so, groups of neighbouring members elsewhere.
// Data is parsed one level at a time, so what is not cut is never parsed.

import type { PassageKind } from '../../model/chunk.ts';
import type { ChunkLimits } from '../chunker.ts';
import { draftChunks } from '../draft-chunks.ts';
import { splitIntoUnits, type CutLine } from '../text-units.ts';
import type { ChunkDraft } from '../unit.ts';

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
  /** The members of the value at `parent`; null if it is a scalar or cannot be parsed. */
  members(text: string, parent: Member): readonly Member[] | null;
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

function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && (text.charCodeAt(start - 1) === 0x20 || text.charCodeAt(start - 1) === 0x09)) start -= 1;
  return start === 0 || text.charCodeAt(start - 1) === 0x0a ? start : at;
}

/** `$.name`, `$["other name"]`, `$[3]`. */
function jsonPathOf(keys: ReadonlyArray<string | number>): string {
  return `$${keys.map(jsonPathStep).join('')}`;
}

function jsonPathStep(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

export type Keys = ReadonlyArray<string | number>;

export interface StructureRules {
  readonly structure: Structure;
  readonly headings: readonly string[];
  /** Whether every member below these keys gets its own chunks, however short it is. */
  readonly splitsMembers: (keys: Keys) => boolean;
  readonly passageKindOf: (keys: Keys) => PassageKind;
  readonly symbolOf: (keys: Keys) => string | null;
}

export interface StructuredDrafts {
  readonly drafts: ChunkDraft[];
  readonly cutLines: CutLine[];
}

/** Elements of an array, and short members of a large object, that share a chunk. */
const GROUP_MEMBERS = 50;
/** Above this the members of an object are grouped, or a flat table of translations would use up the chunk limit. */
const MANY_MEMBERS = 200;
/** Data nested deeper than this below the root is chunked as text. */
const MAX_DEPTH = 8;

export function draftStructuredChunks(
  text: string,
  root: Member,
  rules: StructureRules,
  limits: ChunkLimits,
): StructuredDrafts | null {
  if (rules.structure.members(text, root) === null) return null;
  const walk: Walk = { text, rules, limits, drafts: [], cutLines: [] };
  cutMember(walk, root, []);
  return walk;
}

interface Walk extends StructuredDrafts {
  readonly text: string;
  readonly rules: StructureRules;
  readonly limits: ChunkLimits;
}

function cutMember(walk: Walk, member: Member, keys: Keys): void {
  const { text, rules, limits } = walk;
  const fits = member.end - member.start <= limits.targetChars;
  const splits = rules.splitsMembers(keys);
  if (fits && !splits) return addDrafts(walk, member, keys, jsonPathOf(keys));
  const members = keys.length < MAX_DEPTH ? rules.structure.members(text, member) : null;
  if (members === null) return addDrafts(walk, member, keys, jsonPathOf(keys));
  const isList = typeof members[0]?.key === 'number';
  if (splits && !isList && members.length <= MANY_MEMBERS) {
    for (const child of members) cutMember(walk, child, [...keys, child.key]);
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
    addDrafts(walk, { ...first, end: last.end }, keys, groupJsonPath(keys, first, last));
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

function addDrafts(walk: Walk, member: Member, keys: Keys, jsonPath: string): void {
  const { text, rules, limits } = walk;
  const passageKind = rules.passageKindOf(keys);
  const { units, cutLines } = splitIntoUnits(text, { start: member.start, end: member.end, passageKind }, limits);
  const context = { headings: rules.headings, anchor: null, symbol: rules.symbolOf(keys), jsonPath };
  for (const draft of draftChunks(text, units, context, limits)) walk.drafts.push({ ...draft, passageKind });
  for (const line of cutLines) walk.cutLines.push(line);
}
