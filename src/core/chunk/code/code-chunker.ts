// Code is cut by its syntax tree: a chunk for each function, class and method, with the comment above it. A class that
// fits the target stays whole.

import type { Node, Tree } from 'web-tree-sitter';
import type { Document } from '../../model/document.ts';
import type { Chunker, ChunkLimits, ChunkResult } from '../chunker.ts';
import { codeParts, type CodePart } from './code-definitions.ts';
import type { GrammarLoader, ReadyGrammar } from './grammar-loader.ts';
import type { Grammar } from './grammars.table.ts';
import { namePieces } from '../finalize-chunks.ts';
import { piecesOfUnits } from '../draft-chunks.ts';
import { chunkAsText, titlePlace } from '../text-chunker.ts';
import { lineCutWarnings, textUnits, type CutLine } from '../text-units.ts';
import type { Piece, Unit } from '../unit.ts';

/** Namespaces in namespaces, classes in classes; deeper ones stay whole or are cut as text. */
const MAX_DEPTH = 6;

export function createCodeChunker(loader: Pick<GrammarLoader, 'ready'>): Chunker {
  return {
    name: 'code',
    version: 1,
    formats: ['code'],
    chunk(document, limits) {
      const language = document.codeLanguage ?? '';
      const ready = loader.ready(language);
      if (ready === null) return asText(document, limits, `no grammar exists for ${language || 'this language'}`);
      return chunkCode(document, limits, ready);
    },
  };
}

function chunkCode(document: Document, limits: ChunkLimits, { grammar, parser }: ReadyGrammar): ChunkResult {
  const tree: Tree | null = parser.parse(document.text);
  if (tree === null) return asText(document, limits, 'the parser gave up');
  try {
    const root = tree.rootNode;
    if (root.type === 'ERROR') return asText(document, limits, 'the file does not parse');
    const walk = createWalk(document, limits, grammar);
    cut(walk, root.namedChildren, { start: 0, end: document.text.length, owner: null, depth: 0 });
    flush(walk);
    return namePieces(document, walk.pieces, limits, lineCutWarnings(document.text, walk.cutLines));
  } finally {
    tree.delete();
  }
}

function asText(document: Document, limits: ChunkLimits, because: string): ChunkResult {
  return chunkAsText(document, limits, 'code', [{ kind: 'cut-as-text', format: 'code', because }]);
}

interface Walk {
  readonly text: string;
  readonly limits: ChunkLimits;
  readonly grammar: Grammar;
  readonly headings: readonly string[];
  readonly pieces: Piece[];
  readonly cutLines: CutLine[];
  /** Statements that define nothing, waiting for the next definition. */
  loose: { readonly units: Unit[]; readonly owner: string | null };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly owner: string | null;
  readonly depth: number;
}

function createWalk(document: Document, limits: ChunkLimits, grammar: Grammar): Walk {
  const { headings } = titlePlace(document);
  return {
    text: document.text,
    limits,
    grammar,
    headings,
    pieces: [],
    cutLines: [],
    loose: { units: [], owner: null },
  };
}

function cut(walk: Walk, nodes: readonly Node[], range: Range): void {
  const parts = codeParts(walk.text, nodes, range, walk.grammar);
  if (parts.length === 0) addLoose(walk, range, range.owner);
  for (const part of parts) cutPart(walk, part, range);
}

function cutPart(walk: Walk, part: CodePart, range: Range): void {
  const fits = part.end - part.start <= walk.limits.targetChars;
  if (part.body.length > 0 && !fits && range.depth < MAX_DEPTH) {
    flush(walk);
    const owner = part.symbol ?? range.owner;
    cut(walk, part.body, { start: part.start, end: part.end, owner, depth: range.depth + 1 });
    flush(walk);
  } else if (part.symbol === null) addLoose(walk, part, range.owner);
  else {
    flush(walk);
    addPieces(walk, unitsOf(walk, part), part.symbol, range.owner);
  }
}

function addLoose(walk: Walk, stretch: { readonly start: number; readonly end: number }, owner: string | null): void {
  if (walk.loose.owner !== owner) flush(walk);
  if (walk.loose.units.length === 0) walk.loose = { units: [], owner };
  for (const unit of unitsOf(walk, stretch)) walk.loose.units.push(unit);
}

function flush(walk: Walk): void {
  const { units, owner } = walk.loose;
  walk.loose = { units: [], owner: null };
  if (units.length > 0) addPieces(walk, units, owner, owner);
}

function unitsOf(walk: Walk, { start, end }: { readonly start: number; readonly end: number }): readonly Unit[] {
  const isWhole = end - start <= walk.limits.capChars;
  if (isWhole) return [{ start, end, rank: 2, continues: null, kind: 'code' }];
  const { units, cutLines } = textUnits(walk.text, { start, end, kind: 'code' }, walk.limits);
  for (const line of cutLines) walk.cutLines.push(line);
  return units;
}

function addPieces(walk: Walk, units: readonly Unit[], symbol: string | null, owner: string | null): void {
  const headings = owner === null ? walk.headings : [...walk.headings, owner];
  const place = { headings, anchor: null, symbol, address: null };
  const limits = units.length === 1 ? { ...walk.limits, targetChars: walk.limits.capChars } : walk.limits;
  for (const piece of piecesOfUnits(walk.text, units, place, limits)) walk.pieces.push(piece);
}
