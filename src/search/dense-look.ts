// The vectors' part of a search: the question's own vector, the chunks near it, and how near the chunks are that words found.

import { PinakesError } from '../core/model/errors.ts';
import type { SearchFilter } from '../core/lexical/search-filter.ts';
import type { VersionId } from '../core/model/run.ts';
import { similarity } from '../core/vector/similarity.ts';
import { fingerprintOf } from '../core/vector/space.ts';
import type { Embedder } from '../embed/port.ts';
import type { Space, Store } from '../store/port.ts';
import type { Findings } from './find-pages.ts';
import type { DenseFindings } from './fuse-findings.ts';

export interface DenseScope {
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
}

/** Null where there is no model, or where too few texts have their vectors yet: then words alone answer. */
export type DenseLook = (query: string, findings: Findings, scope: DenseScope) => Promise<DenseFindings | null>;

const NEAR_CHUNKS = 100;
/** While fewer texts have vectors, those without would stand lower for no reason of their own. */
const ENOUGH_EMBEDDED = 0.9;
const LOOK_AT_PROGRESS_MS = 5000;
const LOOK_FOR_MODEL_MS = 30_000;

/** `openEmbedder` is called with the first question. */
export function createDenseLook(store: Store, openEmbedder: () => Promise<Embedder>, now: () => number): DenseLook {
  const spaceInUse = createSpaceInUse(store, now);
  const embedderNow = createLateEmbedder(openEmbedder, now);
  return async (query, findings, { versions, filter }) => {
    try {
      const embedder = await embedderNow();
      const space = embedder === null ? null : await spaceInUse(embedder);
      const [asked] = embedder === null || space === null ? [] : await embedder.embed([query], 'query');
      if (space === null || asked?.kind !== 'embedded') return null;
      const { vector } = asked;
      const near = await store.vectors.nearest({ space: space.id, vector, versions, filter, limit: NEAR_CHUNKS });
      const texts = findings.pages.map(({ candidate }) => candidate.best.chunk.contentHash);
      const vectors = await store.vectors.of(space.id, [...new Set(texts)]);
      const similarities = new Map([...vectors].map(([text, found]) => [text, similarity(vector, found)]));
      return { near, similarities };
    } catch (error) {
      // A server that is down, or a database without vectors, leaves the words; the answer's mode says so.
      if (error instanceof PinakesError) return null;
      throw error;
    }
  };
}

/** The space of the model, once enough of it is there. */
function createSpaceInUse(store: Store, now: () => number): (embedder: Embedder) => Promise<Space | null> {
  let known: { readonly space: Space | null; readonly untilMs: number } = { space: null, untilMs: 0 };
  return async (embedder) => {
    if (now() < known.untilMs) return known.space;
    const space = await store.vectors.findSpace(fingerprintOf(embedder.space));
    const progress = space === null ? null : await store.vectors.progress(space.id);
    const isEnough = progress !== null && progress.embedded >= ENOUGH_EMBEDDED * (progress.embedded + progress.wanted);
    known = { space: isEnough ? space : null, untilMs: now() + LOOK_AT_PROGRESS_MS };
    return known.space;
  };
}

/** Opened with the first question; after a failure, questions pass without it for a while. */
function createLateEmbedder(openEmbedder: () => Promise<Embedder>, now: () => number): () => Promise<Embedder | null> {
  let opening: Promise<Embedder> | null = null;
  let restUntilMs = 0;
  return async () => {
    if (opening === null && now() < restUntilMs) return null;
    opening ??= openEmbedder();
    try {
      return await opening;
    } catch (error) {
      opening = null;
      restUntilMs = now() + LOOK_FOR_MODEL_MS;
      throw error;
    }
  };
}
