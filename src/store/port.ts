// The contract of the store. Both engines fulfil all of it; test/contract enforces it.
//
// Time is the database's: no caller passes a clock. Every write is idempotent, so that a caller who does not know
// whether a commit arrived may send it again. A reader sees a page's old chunks or its new ones, never a mixture.
// After a kill at any point no URL is lost, no page is stored twice, no chunk is orphaned, and counters equal rows.

import type { PointRecords } from '../ports/point-records.ts';
import type { ChunkReader } from '../core/lexical/query/index-reader.ts';
import type { SegmentTables } from '../ports/segment-tables.ts';
import type { VersionId } from '../core/model/run.ts';
import type { Analysis } from './port/analysis.ts';
import type { AuditLog } from './port/audit.ts';
import type { Changes } from './port/changes.ts';
import type { Gazetteer } from './port/gazetteer.ts';
import type { Frontier } from './port/frontier.ts';
import type { History } from './port/history.ts';
import type { Hosts } from './port/hosts.ts';
import type { Journal } from './port/journal.ts';
import type { Pages } from './port/pages.ts';
import type { Plans } from './port/plans.ts';
import type { Runs } from './port/runs.ts';
import type { Sources } from './port/sources.ts';
import type { SpaceProgress, Vectors } from './port/vectors.ts';
import type { Sessions } from './port/sessions.ts';
import type { Tokens } from './port/tokens.ts';
import type { Wakeups } from './port/wakeups.ts';
import type { Webhooks } from './port/webhooks.ts';

/**
 * @example
 * const namesOf = async (store: Store): Promise<string[]> => (await store.sources.list()).map(({ name }) => name);
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly sources: Sources;
  readonly runs: Runs;
  readonly frontier: Frontier;
  readonly hosts: Hosts;
  readonly pages: Pages;
  /** Chunks and headings of pages as they are now, for search. */
  readonly chunks: ChunkReader;
  /** The built-in search engine, in the same database: index/segments makes an index of it. */
  readonly segments: SegmentTables;
  /** For an external index: what it indexes, and rows about its points. */
  readonly points: PointRecords;
  readonly vectors: Vectors;
  readonly changes: Changes;
  readonly webhooks: Webhooks;
  readonly stats: Stats;
  readonly journal: Journal;
  readonly analysis: Analysis;
  readonly plans: Plans;
  readonly gazetteer: Gazetteer;
  readonly history: History;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  readonly projects: Projects;
  readonly wakeups: Wakeups;
  /** Checks every invariant and returns the violations; an empty list means that all hold. */
  verify(): Promise<readonly Violation[]>;
  /**
   * Looks for rows that none of our statements could have written: `quick` checks the files of the database, `full` also the checksum of
   * each segment of the search index and a sample of its entries.
   */
  findDamage(depth: 'quick' | 'full'): Promise<DamageReport>;
  /** Writes a consistent snapshot of the database to a new file, while others write. Raises `backup.unsupported`. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Kept as counters: nothing here reads a table that grows with the library. */
export interface Stats {
  /** Statistics of these versions. Versions without a page are omitted. */
  versions(of: readonly VersionId[]): Promise<readonly VersionStats[]>;
  /** Pages of the library, without duplicates. */
  totalPages(): Promise<number>;
  /** Measures the oldest check of a version: of all pages, in short reads. At the end of a run. */
  measureOldestCheck(version: VersionId): Promise<void>;
  /** Size of the database on disk; null for a caller with the right to some sources. */
  bytes(): Promise<number | null>;
  /** The write-ahead log of the database. `bytes` is null if only the server of the database knows. */
  writeAheadLog(): Promise<{ readonly mode: string; readonly bytes: number | null }>;
  /** Rows since a day (UTC) of all sources or of one, oldest first; before them the last earlier row of each source. */
  libraryDays(since: Date, source: string | null): Promise<readonly DailySize[]>;
  /** Each embedding space with its progress. */
  spaces(): Promise<readonly SpaceStats[]>;
}

export interface VersionStats {
  readonly version: VersionId;
  readonly pages: number;
  /** Pages that are aliases of a page with the same content. */
  readonly duplicates: number;
  readonly chunks: number;
  /** When the page that was not checked for longest was last found current, as measured at the end of the last run. */
  readonly oldestCheckAt: Date;
  /** To the second. */
  readonly newestCheckAt: Date;
  /** When a page last changed. */
  readonly changedAt: Date;
}

/** The size of a source at the end of a day, or now. */
export interface DailySize {
  readonly source: string;
  /** Its first moment, in UTC. */
  readonly day: Date;
  readonly pages: number;
  readonly chunks: number;
  /** Bytes that runs received which ended on this day. */
  readonly receivedBytes: number;
  /** Size of the whole database after the last of them; null if none ended. */
  readonly databaseBytes: number | null;
}

export interface SpaceStats extends SpaceProgress {
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** The projects whose packages are in the library, each with the versions that it uses. */
export interface Projects {
  /**
   * Records that the project uses a version of which it has this content. All projects that use a version have the same content of it:
   * if another one has recorded another content, nothing changes and its folder is returned, otherwise null.
   */
  use(folder: string, version: VersionId, content: string): Promise<string | null>;
  /** Forgets every other version that is recorded for the folder. */
  keep(folder: string, versions: readonly VersionId[]): Promise<void>;
  /** Sorted by folder; a version that was removed is left out. */
  list(): Promise<readonly Project[]>;
  remove(folder: string): Promise<void>;
}

export interface Project {
  /** Absolute, on the machine that synced it. */
  readonly folder: string;
  readonly versions: readonly VersionId[];
  /** For each version the hash of the package's files in the project. */
  readonly contents: ReadonlyMap<VersionId, string>;
}

export interface Violation {
  /** Id of the invariant, such as `I04`, or the name of a check. */
  readonly invariant: string;
  /** What should hold. */
  readonly what: string;
  /** The offending row, abbreviated. */
  readonly row: string;
  /** Null if none is known. */
  readonly remedy: 'reindex' | 'restore' | null;
}

export interface DamageReport {
  readonly violations: readonly Violation[];
  /** What was not checked, and why. */
  readonly skipped: readonly string[];
}
