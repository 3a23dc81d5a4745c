// Sources and their versions.

import type { PageUrl } from '../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';
import type { StoredBody } from './frontier.ts';
import type { JsonObject } from './json.ts';
import type { Run } from './runs.ts';

export interface SourceDefinition {
  /** Unique, chosen by the user or derived from the start. */
  readonly name: string;
  readonly kind: 'web' | 'folder';
  /** Where the source begins: a URL or a path. */
  readonly start: string;
  readonly settings: JsonObject;
}

/** If `afterMs` is null, the source is crawled on request only. */
export interface Schedule {
  readonly afterMs: number | null;
}

export interface SourceChange {
  readonly name: string;
  readonly settings: JsonObject;
  /** Null leaves the schedule as it is. */
  readonly due: Schedule | null;
  /** From here on it is crawled from the web, at this URL, by any machine. */
  readonly crawlFrom?: PageUrl;
  /** A run reads the settings of its source when it begins: those may only change between runs. */
  readonly isAllowedDuringRun: boolean;
}

export interface Source extends SourceDefinition {
  readonly id: SourceId;
  /** When its next scheduled run is due; null for a source without a schedule. */
  readonly dueAt: Date | null;
  /** The machine that has its files, if that is not this one: only processes there can crawl it. Otherwise null. */
  readonly remoteMachine: string | null;
  readonly createdAt: Date;
  readonly versions: readonly Version[];
}

export interface Version {
  readonly id: VersionId;
  /** The name given by the user; the empty string if no version was given. */
  readonly label: string;
  /** What the site declares for the documented product; null if it declares none, or its pages disagree. Untrusted, but always a version. */
  readonly declaredVersion: string | null;
}

export interface Sources {
  /** Creates the source with one version. A name that is in use raises `source.exists`. */
  add(definition: SourceDefinition, versionLabel: string, due?: Schedule): Promise<Source>;
  /** `add`, and the first run of the source, in one transaction. Raises `database.full` as `start` of a run does. */
  addWithRun(
    definition: SourceDefinition,
    versionLabel: string,
    due?: Schedule,
  ): Promise<{ readonly source: Source; readonly run: Run }>;
  /** Raises `source.exists` for a name that is in use, `source.busy` if a live run must not see the change. */
  change(source: SourceId, change: SourceChange): Promise<void>;
  /** Sources whose next run is due, the longest overdue first. */
  due(limit: number): Promise<readonly Source[]>;
  byName(name: string): Promise<Source | null>;
  list(): Promise<readonly Source[]>;
  /**
   * Removes the source with everything that belongs to it, in steps that survive a kill: a partly removed source is invisible
   * immediately, and the next call of `finishRemovals` completes it. Its outstanding claims are superseded.
   */
  remove(source: SourceId): Promise<void>;
  finishRemovals(): Promise<void>;
  /** What the runs of a version learned about it as a whole: the Markdown route of its host, boilerplate masks. */
  facts(version: VersionId): Promise<JsonObject>;
  saveFacts(version: VersionId, facts: JsonObject): Promise<void>;
  /** The facts of every version, for a list of all sources. */
  allFacts(): Promise<ReadonlyMap<VersionId, JsonObject>>;
  /** Null if the source declares none. Anything but a version is stored as null. */
  saveDeclaredVersion(version: VersionId, declared: string | null): Promise<void>;
  /** A file used for discovery, such as llms-full.txt; null if none is stored. */
  file(version: VersionId, name: string): Promise<DiscoveryFile | null>;
  saveFile(version: VersionId, name: string, file: DiscoveryFile): Promise<void>;
}

export interface DiscoveryFile {
  readonly url: PageUrl;
  readonly body: StoredBody;
}
