// The public API of `pinakes/ports`: the contracts of the stages, for programs that bring their own. Unstable: a contract
// may change with any version before 1.0.

export type { EmbedHealth, Embedder, EmbedOutcome, Role } from './embed/port.ts';
export type { SpaceSettings } from './core/vector/space.ts';
export type { FetchedPage, Fetcher, FetchOutcome, FetchRequest } from './fetch/port.ts';
export type {
  CandidateIndex,
  CandidatePage,
  IndexLag,
  IndexQuery,
  SearchIndex,
  TermFrequencies,
} from './index/port.ts';
export type { ParsedPage, Parser } from './parse/port.ts';
export type { Store } from './store/port.ts';
