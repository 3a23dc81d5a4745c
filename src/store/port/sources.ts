// Sources and their versions.

import type { PageUrl } from '../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';
import type { StoredBody } from './settlement.ts';

export interface SourceDefinition {
  /** Unique, chosen by the user or derived from the start. */
  readonly name: string;
  readonly kind: 'web' | 'folder';
  /** Where the source begins: a URL or a path. */
  readonly start: string;
  readonly settings: JsonObject;
}

/** Where `afterMs` is null, the source is crawled only when somebody asks. */
export interface Due {
  readonly afterMs: number | null;
}

export interface SourceChange {
  readonly name: string;
  readonly settings: JsonObject;
  /** Null leaves the next run where it is. */
  readonly due: Due | null;
  /** A run reads the settings of its source when it begins: what it reads changes only between runs. */
  readonly isAllowedDuringRun: boolean;
}

export interface Source extends SourceDefinition {
  readonly id: SourceId;
  /** When its next run starts by itself; null where somebody has to ask. */
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly versions: readonly Version[];
}

export interface Version {
  readonly id: VersionId;
  /** What the user called it; the empty string where no version was given. */
  readonly label: string;
}

export interface Sources {
  /** Creates the source with one version. A taken name raises `source.exists`. */
  add(definition: SourceDefinition, versionLabel: string, due?: Due): Promise<Source>;
  /** Raises `source.exists` for a taken name, `source.busy` where a run lives that may not see the change. */
  change(source: SourceId, change: SourceChange): Promise<void>;
  /** Sources whose next run is due, the longest overdue first. */
  due(limit: number): Promise<readonly Source[]>;
  byName(name: string): Promise<Source | null>;
  list(): Promise<readonly Source[]>;
  /**
   * Removes the source and all that belongs to it, in steps that survive a kill: a half-removed source is invisible
   * at once and is finished by the next call of `finishRemovals`. Workers that still hold claims of it are superseded.
   */
  remove(source: SourceId): Promise<void>;
  finishRemovals(): Promise<void>;
  /** What is known of a version as a whole, computed by its runs: the Markdown route of its host, masks. */
  facts(version: VersionId): Promise<JsonObject>;
  keepFacts(version: VersionId, facts: JsonObject): Promise<void>;
  /** A text that a crawl starts from, such as llms-full.txt; null where none is kept. */
  file(version: VersionId, name: string): Promise<DiscoveryFile | null>;
  keepFile(version: VersionId, name: string, file: DiscoveryFile): Promise<void>;
}

export interface DiscoveryFile {
  readonly url: PageUrl;
  readonly body: StoredBody;
}
