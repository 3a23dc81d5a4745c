// The read path: which sources, which candidates, which answer.

import { pinakesError } from '../core/model/errors.ts';
import type { Candidate, Source, Store } from '../store/port.ts';

export interface SearchQuestion {
  readonly query: string;
  readonly source?: string | undefined;
  readonly limit: number;
}

export interface Passage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
  readonly title: string;
  readonly headings: string[];
  readonly lines: { readonly first: number; readonly last: number };
  readonly checkedAt: string;
  readonly chunk: string;
  readonly text: string;
}

export interface SearchAnswer {
  readonly mode: 'lexical';
  /** Names of the sources that were searched. */
  readonly searched: string[];
  readonly passages: Passage[];
}

export type Search = (question: SearchQuestion) => Promise<SearchAnswer>;

const LONGEST_QUERY_WORDS = 64;

export function createSearch(store: Store): Search {
  return async ({ query, source, limit }) => {
    const sources = (await store.sources.list()).filter(({ name }) => source === undefined || name === source);
    if (source !== undefined && sources.length === 0) throw pinakesError('source.unknown', { source });
    const versions = sources.flatMap((one) => one.versions.map(({ id }) => id));
    const words = query.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '');
    const candidates = await store.searchRows.candidates({
      versions,
      words: words.slice(0, LONGEST_QUERY_WORDS),
      kinds: [],
      limit,
    });
    return {
      mode: 'lexical',
      searched: sources.map(({ name }) => name),
      passages: candidates.map((candidate) => passageOf(candidate, sources)),
    };
  };
}

function passageOf({ chunk, source }: Candidate, sources: readonly Source[]): Passage {
  const owner = sources.find(({ id }) => id === source);
  const { page, anchor } = chunk;
  return {
    source: owner?.name ?? '',
    version: owner?.versions.find(({ id }) => id === page.version)?.label ?? '',
    url: anchor === null ? page.url : `${page.url}#${anchor}`,
    title: page.title,
    headings: [...chunk.headings],
    lines: chunk.lines,
    checkedAt: page.checkedAt.toISOString(),
    chunk: chunk.id,
    text: chunk.text,
  };
}
