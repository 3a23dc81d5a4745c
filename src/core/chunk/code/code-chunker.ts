// Chunks code by its syntax tree: one chunk per function, class and method, with the comment above it. A class that fits
// the target stays whole, and its chunk has the names of its methods too.

import { joinSymbols, type Document } from '../../model/document.ts';
import type { Chunker, ChunkLimits, ChunkResult } from '../chunker.ts';
import { draftChunks } from '../draft-chunks.ts';
import { finalizeChunks } from '../finalize-chunks.ts';
import { chunkAsText, titleContext } from '../text-chunker.ts';
import { lineCutWarnings, splitIntoUnits, type CutLine } from '../text-units.ts';
import type { ChunkDraft, Unit } from '../unit.ts';
import { codeParts, nestedNames, type CodePart } from './code-definitions.ts';
import type { GrammarLoader, ReadyGrammar, SyntaxNode } from './grammar-loader.ts';
import { grammarPackage, type Grammar } from './grammars.table.ts';

/** Nested namespaces and classes; deeper ones stay whole or are cut as text. */
const MAX_DEPTH = 6;

/** `isMissing` says whether the grammar of a language exists and is not installed. */
export function createCodeChunker(
  loader: Pick<GrammarLoader, 'ready'>,
  isMissing: (language: string) => boolean,
): Chunker {
  return {
    name: 'code',
    version: 2,
    formats: ['code'],
    chunk(document, limits) {
      const language = document.codeLanguage ?? '';
      if (isMissing(language)) {
        const warning = {
          kind: 'cut-as-text',
          format: 'code',
          reason: `no grammar is installed for ${language}`,
        } as const;
        return chunkAsText(document, limits, 'code', [{ ...warning, install: grammarPackage }]);
      }
      const ready = loader.ready(language);
      if (ready === null)
        return chunkCodeAsText(document, limits, `no grammar exists for ${language || 'this language'}`);
      return chunkCode(document, limits, ready);
    },
  };
}

function chunkCode(document: Document, limits: ChunkLimits, ready: ReadyGrammar): ChunkResult {
  const tree = ready.parse(document.text);
  if (tree === null) return chunkCodeAsText(document, limits, 'the parser gave up');
  try {
    const root = tree.rootNode;
    if (root.type === 'ERROR') return chunkCodeAsText(document, limits, 'the file does not parse');
    const walk = createWalk(document, limits, ready.grammar);
    cutNodes(walk, root.namedChildren, { start: 0, end: document.text.length, owner: null, depth: 0 });
    flushPending(walk);
    return finalizeChunks(document, walk.drafts, limits, lineCutWarnings(document.text, walk.cutLines));
  } finally {
    tree.delete();
  }
}

function chunkCodeAsText(document: Document, limits: ChunkLimits, reason: string): ChunkResult {
  return chunkAsText(document, limits, 'code', [{ kind: 'cut-as-text', format: 'code', reason }]);
}

interface Walk {
  readonly text: string;
  readonly limits: ChunkLimits;
  readonly grammar: Grammar;
  readonly headings: readonly string[];
  readonly drafts: ChunkDraft[];
  readonly cutLines: CutLine[];
  /** Statements that define nothing, collected until the next definition. */
  pending: { readonly units: Unit[]; readonly owner: string | null };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly owner: string | null;
  readonly depth: number;
}

function createWalk(document: Document, limits: ChunkLimits, grammar: Grammar): Walk {
  const { headings } = titleContext(document);
  return {
    text: document.text,
    limits,
    grammar,
    headings,
    drafts: [],
    cutLines: [],
    pending: { units: [], owner: null },
  };
}

function cutNodes(walk: Walk, nodes: readonly SyntaxNode[], range: Range): void {
  const parts = codeParts(walk.text, nodes, range, walk.grammar);
  if (parts.length === 0) addPending(walk, range, range.owner);
  for (const part of parts) cutPart(walk, part, range);
}

function cutPart(walk: Walk, part: CodePart, range: Range): void {
  const fits = part.end - part.start <= walk.limits.targetChars;
  if (part.body.length > 0 && !fits && range.depth < MAX_DEPTH) {
    flushPending(walk);
    const owner = part.symbol ?? range.owner;
    cutNodes(walk, part.body, { start: part.start, end: part.end, owner, depth: range.depth + 1 });
    flushPending(walk);
  } else if (part.symbol === null) addPending(walk, part, range.owner);
  else {
    flushPending(walk);
    const names = nestedNames(part, walk.grammar, MAX_DEPTH - range.depth);
    addDrafts(walk, unitsOf(walk, part), joinSymbols([part.symbol, ...names]), range.owner);
  }
}

function addPending(walk: Walk, span: { readonly start: number; readonly end: number }, owner: string | null): void {
  if (walk.pending.owner !== owner) flushPending(walk);
  if (walk.pending.units.length === 0) walk.pending = { units: [], owner };
  for (const unit of unitsOf(walk, span)) walk.pending.units.push(unit);
}

function flushPending(walk: Walk): void {
  const { units, owner } = walk.pending;
  walk.pending = { units: [], owner: null };
  if (units.length > 0) addDrafts(walk, units, owner, owner);
}

function unitsOf(walk: Walk, { start, end }: { readonly start: number; readonly end: number }): readonly Unit[] {
  const isWhole = end - start <= walk.limits.capChars;
  if (isWhole) return [{ start, end, cutPriority: 2, continues: null, passageKind: 'code' }];
  const { units, cutLines } = splitIntoUnits(walk.text, { start, end, passageKind: 'code' }, walk.limits);
  for (const line of cutLines) walk.cutLines.push(line);
  return units;
}

function addDrafts(walk: Walk, units: readonly Unit[], symbol: string | null, owner: string | null): void {
  const headings = owner === null ? walk.headings : [...walk.headings, owner];
  const context = { headings, anchor: null, symbol, jsonPath: null };
  const limits = units.length === 1 ? { ...walk.limits, targetChars: walk.limits.capChars } : walk.limits;
  for (const draft of draftChunks(walk.text, units, context, limits)) walk.drafts.push(draft);
}
