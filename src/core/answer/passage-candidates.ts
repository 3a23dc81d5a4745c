// Loads the candidate passages of the ranked pages: the start of each page and its best chunks, more for higher ranks.

import type { PageCandidates, PassageCandidate } from './answer-page.ts';
import { answerWeights } from './answer-weights.table.ts';
import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import type { RankedPage } from '../rank/rank-pages.ts';
import { stripLinkTargets } from '../rank/strip-link-targets.ts';
import type { FoundChunk, FoundPassage, IndexReader } from '../lexical/segment/index-reader.ts';
import type { SourceId, VersionId } from '../model/run.ts';
import type { FoundPage } from '../rank/lexical-retrieval.ts';

/** Chunks of the first page, the second and so on, per thousand tokens of budget; the last number holds for all further pages. */
const CHUNKS_PER_RANK = [12, 8, 5, 4, 3];
const MAX_CHUNKS = 32;
/** Chunks at the start of a page, which are always candidates: as many as get a bonus. */
const LEAD_CHUNKS = answerWeights.lead.length;

/** What a passage says about its source. */
export interface SearchedSource {
  readonly id: SourceId;
  readonly name: string;
  readonly versions: ReadonlyArray<{ readonly id: VersionId; readonly label: string }>;
}

export interface CandidateOptions {
  readonly sources: readonly SearchedSource[];
  /** Tokens of the whole answer; a larger budget means more candidates. */
  readonly budget: number;
}

export async function loadPassageCandidates(
  index: IndexReader,
  query: ParsedQuery,
  pages: ReadonlyArray<RankedPage<FoundPage>>,
  { sources, budget }: CandidateOptions,
): Promise<PageCandidates[]> {
  const positions = pages.map(({ candidate }, at) => {
    const usual = CHUNKS_PER_RANK[at] ?? CHUNKS_PER_RANK.at(-1) ?? 1;
    return candidatePositions(candidate, Math.min(MAX_CHUNKS, Math.ceil((usual * budget) / 1000)));
  });
  const places = pages.flatMap(({ candidate }, at) => {
    const { version, url } = candidate.best.chunk.page;
    return [...(positions[at]?.keys() ?? [])].map((ordinal) => ({ version, url, ordinal }));
  });
  const loaded = await index.passages(places);
  const chunks = new Map(loaded.map((chunk) => [passageKey(chunk.page, chunk.ordinal), chunk]));
  return pages.map(({ candidate, score }, at) => ({
    ...originOf(candidate.best, sources),
    url: candidate.url,
    title: candidate.title,
    checkedAt: candidate.best.chunk.page.checkedAt.toISOString(),
    score,
    candidates: [...(positions[at] ?? [])].flatMap(([ordinal, scores]) => {
      const chunk = chunks.get(passageKey(candidate.best.chunk.page, ordinal));
      return chunk === undefined ? [] : [toCandidate(query, chunk, scores)];
    }),
  }));
}

interface ChunkScores {
  /** From candidate generation. */
  readonly score: number;
  /** Vector similarity, 0 to 1; 0 if unknown. */
  readonly similarity: number;
}

/** Candidates of a page by vector similarity. */
const MAX_SIMILAR_CHUNKS = 6;

/** By ordinal, in page order. */
function candidatePositions(
  { best, others, chunkScore, similarities = [] }: FoundPage,
  limit: number,
): Map<number, ChunkScores> {
  const matching = [{ position: best.position, score: chunkScore }, ...others];
  const scores = new Map(matching.map(({ position, score }) => [position.position, score]));
  const shares = new Map(similarities.map(({ position, share }) => [position.position, share]));
  const lead = Array.from({ length: LEAD_CHUNKS }, (_, position) => position);
  const positions = new Set([
    ...lead,
    ...matching.slice(0, limit).map(({ position }) => position.position),
    ...similarities.slice(0, MAX_SIMILAR_CHUNKS).map(({ position }) => position.position),
  ]);
  const ordered = [...positions].sort((left, right) => left - right);
  return new Map(
    ordered.map((position) => [position, { score: scores.get(position) ?? 0, similarity: shares.get(position) ?? 0 }]),
  );
}

function toCandidate(query: ParsedQuery, chunk: FoundPassage, { score, similarity }: ChunkScores): PassageCandidate {
  const { headings, anchor, lines, id, ordinal, text } = chunk;
  return {
    headings,
    anchor,
    lines,
    chunk: id,
    text: stripLinkTargets(text).trim(),
    position: ordinal,
    score: score / query.totalWeight,
    similarity,
  };
}

function passageKey({ version, url }: FoundPassage['page'], ordinal: number): string {
  return `${version} ${ordinal} ${url}`;
}

function originOf(
  { source, chunk }: FoundChunk,
  sources: readonly SearchedSource[],
): { readonly source: string; readonly version: string } {
  const owner = sources.find(({ id }) => id === source);
  const version = owner?.versions.find(({ id }) => id === chunk.page.version)?.label;
  return { source: owner?.name ?? '', version: version ?? '' };
}
