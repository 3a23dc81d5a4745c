// What the store promises. Both engines keep every sentence; test/contract holds them to it.
//
// Time is the database's: no caller passes a clock. Every write is idempotent, so that a caller who does not know
// whether a commit arrived may send it again. A reader sees a page's old chunks or its new ones, never a mixture.
// After a kill at any point no URL is lost, no page doubled, no chunk orphaned, and counters equal rows.

import type { Figures } from './port/figures.ts';
import type { Frontier } from './port/frontier.ts';
import type { Hosts } from './port/hosts.ts';
import type { Journal } from './port/journal.ts';
import type { Pages } from './port/pages.ts';
import type { Runs } from './port/runs.ts';
import type { SearchRows } from './port/search-index.ts';
import type { Sources } from './port/sources.ts';
import type { Tokens } from './port/tokens.ts';
import type { Vectors } from './port/vectors.ts';

export { FOUND_BY } from './port/claim.ts';
export type { FoundBy, Offer, Refusal, Claim, KnownPage } from './port/claim.ts';
export type { SpaceFigures, VersionFigures, Figures } from './port/figures.ts';
export type {
  KnownUrl,
  OutcomeReason,
  FrontierUrl,
  LocatedUrl,
  UrlQuery,
  ClaimRequest,
  Frontier,
} from './port/frontier.ts';
export type { HostState, RobotsFile, Turn, Hosts } from './port/hosts.ts';
export type { JournalEvent, EventQuery, Problem, Journal } from './port/journal.ts';
export type { Json, JsonObject } from './port/json.ts';
export type {
  ListedPage,
  StoredPage,
  StoredDocument,
  EarlierText,
  LinkingPage,
  StoredChunk,
  Pages,
  RemadePage,
  FoldablePage,
  FoldChange,
} from './port/pages.ts';
export type { Run, RunCounts, RunLease, Runs } from './port/runs.ts';
export type { FoundPostings, FoundPassage, SearchPlace, FoundChunk, SearchRows } from './port/search-index.ts';
export type { Outcome, PageContent, StoredBody, Settlement } from './port/settlement.ts';
export type { Due, SourceChange, SourceDefinition, Source, Version, Sources, DiscoveryFile } from './port/sources.ts';
export type { AccessToken, Tokens } from './port/tokens.ts';
export type {
  SpaceId,
  Space,
  EmbeddingClaim,
  EmbeddingOutcome,
  EmbeddingSettlement,
  NearestRequest,
  NearChunk,
  SpaceProgress,
  Vectors,
} from './port/vectors.ts';

export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly sources: Sources;
  readonly runs: Runs;
  readonly frontier: Frontier;
  readonly hosts: Hosts;
  readonly pages: Pages;
  readonly searchRows: SearchRows;
  readonly vectors: Vectors;
  readonly figures: Figures;
  readonly journal: Journal;
  readonly tokens: Tokens;
  /** Checks every invariant and returns what breaks one; an empty list means that all hold. */
  verify(): Promise<readonly Violation[]>;
  /** Writes the whole database to a new file, as it stands at one moment, while others write. Raises `backup.elsewhere`. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface Violation {
  /** Id of the invariant, such as `I04`. */
  readonly invariant: string;
  readonly what: string;
  /** The offending row, short. */
  readonly row: string;
}
