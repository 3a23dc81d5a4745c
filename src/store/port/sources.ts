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

export interface Source extends SourceDefinition {
  readonly id: SourceId;
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
  add(definition: SourceDefinition, versionLabel: string): Promise<Source>;
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
