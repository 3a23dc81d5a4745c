// Loads the candidate passages of the ranked pages: the start of each page and its best chunks, more for higher ranks, whatever
// the budget is.

import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { chunkRefKey, type ChunkReader, type FoundPassage } from '../lexical/query/index-reader.ts';
import type { SourceId, VersionId } from '../model/run.ts';
import { importedFrom, type SourceKind } from '../model/provenance.ts';
import { pageSections, pathRoot, type PageSection } from '../outline/heading-path.ts';
import type { FoundPage } from '../rank/lexical-retrieval.ts';
import type { RankedPage } from '../rank/rank-pages.ts';
import { passageParts, type PassagePart } from './passage-parts.ts';

/** Matching chunks of the first page, the second and so on; the last number holds for all further pages. */
const CHUNKS_PER_RANK = [32, 24, 16, 12, 10];
/** Chunks at the start of a page, which are always candidates: pages say first what they are about. */
const LEAD_CHUNKS = 6;

/** The source of a passage. */
export interface SearchedSource {
  readonly id: SourceId;
  readonly name: string;
  readonly kind?: SourceKind;
  readonly versions: ReadonlyArray<{
    readonly id: VersionId;
    readonly label: string;
    /** Version that the site declares for the documented product; null if none. */
    readonly declaredVersion: string | null;
  }>;
}

/** A chunk whose parts may become passages of the answer. */
export interface PassageCandidate {
  /** Id of the chunk, and its index on the page. */
  readonly chunk: string;
  readonly position: number;
  readonly parts: readonly PassagePart[];
  /** Lexical score, as a share of the total weight of the query. */
  readonly score: number;
  /** Vector similarity to the query, 0 to 1; 0 in lexical mode. */
  readonly similarity: number;
}

export interface PageCandidates {
  readonly source: string;
  readonly version: string;
  readonly declaredVersion: string | null;
  readonly url: string;
  readonly title: string;
  /** When the page was last confirmed to be current, ISO 8601. */
  readonly checkedAt: string;
  readonly isImported?: true | undefined;
  readonly score: number;
  /** Candidates in page order. */
  readonly candidates: readonly PassageCandidate[];
}

export async function loadPassageCandidates(
  chunkReader: ChunkReader,
  query: ParsedQuery,
  pages: ReadonlyArray<RankedPage<FoundPage>>,
  sources: readonly SearchedSource[],
): Promise<PageCandidates[]> {
  const ordinals = pages.map(({ candidate }, at) =>
    candidateOrdinals(candidate, CHUNKS_PER_RANK[at] ?? CHUNKS_PER_RANK.at(-1) ?? 1),
  );
  const refs = pages.flatMap(({ candidate }, at) => {
    const { version, url } = candidate.best.chunk.page;
    const read = [...(ordinals[at]?.keys() ?? [])];
    return read.map((ordinal) => ({ version, url, ordinal, withOutline: ordinal === 0 }));
  });
  const loaded = await chunkReader.passages(refs);
  const chunks = new Map(loaded.map((chunk) => [chunkRefKey({ ...chunk.page, ordinal: chunk.ordinal }), chunk]));
  return pages.map(({ candidate, score }, at) => {
    // The page may have been replaced since it was ranked: what is shown of it is all from this read.
    const start = chunks.get(chunkRefKey({ ...candidate.best.chunk.page, ordinal: 0 }));
    const page = start?.page ?? candidate.best.chunk.page;
    const sections = pageSections(page.title, start?.outline ?? [], pathRoot(candidate.url));
    return {
      ...originOf(candidate, sources),
      url: candidate.url,
      title: page.title,
      checkedAt: page.checkedAt.toISOString(),
      score,
      candidates: [...(ordinals[at] ?? [])].flatMap(([ordinal, scores]) => {
        const chunk = chunks.get(chunkRefKey({ ...page, ordinal }));
        return chunk === undefined ? [] : [toCandidate(query, chunk, sections, scores)];
      }),
    };
  });
}

interface ChunkScores {
  /** From candidate generation. */
  readonly score: number;
  /** Vector similarity, 0 to 1; 0 if unknown. */
  readonly similarity: number;
}

/** Candidates of a page by vector similarity. */
const MAX_SIMILAR_CHUNKS = 6;

/** Ordinals of candidate chunks, in page order. */
function candidateOrdinals(
  { best, others, chunkScore, similarities = [] }: FoundPage,
  limit: number,
): Map<number, ChunkScores> {
  const matching = [{ ordinal: best.chunk.ordinal, score: chunkScore }, ...others];
  const scores = new Map(matching.map(({ ordinal, score }) => [ordinal, score]));
  const shares = new Map(similarities.map(({ ordinal, share }) => [ordinal, share]));
  const lead = Array.from({ length: LEAD_CHUNKS }, (_, ordinal) => ordinal);
  const ordinals = new Set([
    ...lead,
    ...matching.slice(0, limit).map(({ ordinal }) => ordinal),
    ...similarities.slice(0, MAX_SIMILAR_CHUNKS).map(({ ordinal }) => ordinal),
  ]);
  const ordered = [...ordinals].sort((left, right) => left - right);
  return new Map(
    ordered.map((ordinal) => [ordinal, { score: scores.get(ordinal) ?? 0, similarity: shares.get(ordinal) ?? 0 }]),
  );
}

function toCandidate(
  query: ParsedQuery,
  chunk: FoundPassage,
  sections: readonly PageSection[],
  { score, similarity }: ChunkScores,
): PassageCandidate {
  return {
    chunk: chunk.id,
    position: chunk.ordinal,
    parts: passageParts(chunk, sections),
    score: score / query.totalWeight,
    similarity,
  };
}

function originOf(
  { url, best: { source, chunk } }: FoundPage,
  sources: readonly SearchedSource[],
): Pick<PageCandidates, 'source' | 'version' | 'declaredVersion' | 'isImported'> {
  const owner = sources.find(({ id }) => id === source);
  const version = owner?.versions.find(({ id }) => id === chunk.page.version);
  const { label = '', declaredVersion = null } = version ?? {};
  return { source: owner?.name ?? '', version: label, declaredVersion, ...importedFrom(owner?.kind, url) };
}
