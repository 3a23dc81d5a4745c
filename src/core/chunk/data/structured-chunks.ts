// Cuts data with keys: a piece for each member that the plan names, and groups of members where one is too long.

import type { ChunkKind } from '../../model/chunk.ts';
import type { ChunkLimits } from '../chunker.ts';
import { piecesOfUnits } from '../draft-chunks.ts';
import { addressOf, type Member, type Structure } from '../structure.ts';
import { textUnits, type CutLine } from '../text-units.ts';
import type { Piece } from '../unit.ts';

export type Keys = ReadonlyArray<string | number>;

export interface StructuredPlan {
  readonly structure: Structure;
  readonly headings: readonly string[];
  /** Whether every member below these keys gets pieces of its own, however short it is. */
  readonly eachOf: (keys: Keys) => boolean;
  readonly kindOf: (keys: Keys) => ChunkKind;
  readonly symbolOf: (keys: Keys) => string | null;
}

export interface StructuredPieces {
  readonly pieces: Piece[];
  readonly cutLines: CutLine[];
}

/** Elements of an array, and short members of a long object, that go in one piece. */
const GROUP_MEMBERS = 50;
/** Above this an object's members are grouped, or a flat table of translations would fill the file's quota. */
const MANY_MEMBERS = 200;
/** Data nested deeper than this below the root is cut as text. */
const MAX_DEPTH = 8;

export function piecesOfStructure(
  text: string,
  root: Member,
  plan: StructuredPlan,
  limits: ChunkLimits,
): StructuredPieces | null {
  if (plan.structure.members(text, root) === null) return null;
  const walk: Walk = { text, plan, limits, pieces: [], cutLines: [] };
  cut(walk, root, []);
  return walk;
}

interface Walk extends StructuredPieces {
  readonly text: string;
  readonly plan: StructuredPlan;
  readonly limits: ChunkLimits;
}

function cut(walk: Walk, member: Member, keys: Keys): void {
  const { text, plan, limits } = walk;
  const fits = member.end - member.start <= limits.targetChars;
  const each = plan.eachOf(keys);
  if (fits && !each) return addPieces(walk, member, keys, addressOf(keys));
  const members = keys.length < MAX_DEPTH ? plan.structure.members(text, member) : null;
  if (members === null) return addPieces(walk, member, keys, addressOf(keys));
  const isList = typeof members[0]?.key === 'number';
  if (each && !isList && members.length <= MANY_MEMBERS) {
    for (const child of members) cut(walk, child, [...keys, child.key]);
  } else cutInGroups(walk, members, keys);
}

/** As many neighbours as fit the target; a member that does not fit is cut on its own. */
function cutInGroups(walk: Walk, members: readonly Member[], keys: Keys): void {
  const { targetChars } = walk.limits;
  let group: Member[] = [];
  const close = (): void => {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) return;
    addPieces(walk, { ...first, end: last.end }, keys, groupAddress(keys, first, last));
    group = [];
  };
  for (const member of members) {
    const start = group[0]?.start ?? member.start;
    if (group.length === GROUP_MEMBERS || member.end - start > targetChars) close();
    if (member.end - member.start > targetChars) cut(walk, member, [...keys, member.key]);
    else group.push(member);
  }
  close();
}

/** `$.items[0:50]` for elements, `$.table{first..last}` for names. */
function groupAddress(keys: Keys, first: Member, last: Member): string {
  const parent = addressOf(keys);
  if (typeof first.key === 'number') return `${parent}[${first.key}:${Number(last.key) + 1}]`;
  return first.key === last.key ? addressOf([...keys, first.key]) : `${parent}{${first.key}..${last.key}}`;
}

function addPieces(walk: Walk, member: Member, keys: Keys, address: string): void {
  const { text, plan, limits } = walk;
  const kind = plan.kindOf(keys);
  const { units, cutLines } = textUnits(text, { start: member.start, end: member.end, kind }, limits);
  const place = { headings: plan.headings, anchor: null, symbol: plan.symbolOf(keys), address };
  for (const piece of piecesOfUnits(text, units, place, limits)) walk.pieces.push({ ...piece, kind });
  for (const line of cutLines) walk.cutLines.push(line);
}
