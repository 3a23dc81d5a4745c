// Sources and their versions.

import type { SourceKind } from '../../core/model/provenance.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';
import type { StoredBody } from '../../platform/compress-body.ts';
import type { JsonObject } from './json.ts';
import type { Run } from './runs.ts';

export interface SourceDefinition {
  /** Unique, chosen by the user or derived from the start. */
  readonly name: string;
  readonly kind: SourceKind;
  /** Where the source begins: a URL or a path. */
  readonly startUrl: string;
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
  /** Whether a page of it is stored. */
  readonly hasPages: boolean;
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
  /** A further version of a source; the existing one if it has that label already. */
  addVersion(source: SourceId, label: string): Promise<Version>;
  /** `remove`, for one version of a source that has others. */
  removeVersion(version: VersionId): Promise<void>;
  /** Raises `source.exists` for a name that is in use, `source.busy` if a live run must not see the change. */
  change(source: SourceId, change: SourceChange): Promise<void>;
  /** Sources whose next run is due, the longest overdue first. */
  due(limit: number): Promise<readonly Source[]>;
  byName(name: string): Promise<Source | null>;
  byId(source: SourceId): Promise<Source | null>;
  /** The existing sources among these ids, in no particular order. */
  byIds(sources: readonly SourceId[]): Promise<readonly Source[]>;
  /** All of them, by name. A process that called it before reads only the sources that have changed since. */
  list(): Promise<readonly Source[]>;
  count(): Promise<number>;
  /** Sources with a schedule, the next one first. */
  scheduled(limit: number): Promise<readonly Source[]>;
  /**
   * Removes the source with everything that belongs to it, in steps that survive a kill: a partly removed source is invisible
   * immediately, and the next call of `finishRemovals` completes it. Its outstanding claims are superseded.
   */
  remove(source: SourceId): Promise<void>;
  finishRemovals(): Promise<void>;
  /** The site profile that runs of a version learned, such as the Markdown route of its host. */
  siteProfile(version: VersionId): Promise<JsonObject>;
  /** Several processes may learn something at a time: `change` gets what is stored, and may be called again. */
  changeSiteProfile(version: VersionId, change: (stored: JsonObject) => JsonObject): Promise<void>;
  siteProfiles(versions: readonly VersionId[]): Promise<ReadonlyMap<VersionId, JsonObject>>;
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
