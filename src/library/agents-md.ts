// The block for AGENTS.md: which sources the library has, and an outline of each from the paths of its pages.

import { writeAgentsBlock, type AgentsSource } from '../core/export/agents/agents-block.ts';
import { outlinedPath } from '../core/export/agents/path-outline.ts';
import { compareVersions } from '../core/model/version-verdict.ts';
import type { Source, Store, Version } from '../store/port.ts';
import { countPages } from './count-pages.ts';

export interface AgentsMd {
  readonly text: string;
  /** Sources with at least one page. */
  readonly sources: number;
}

/** Pages of one source that its outline is made from. The store returns them in the order of their keys: an even sample. */
const SAMPLED_PAGES = 1000;
/** Of more sources, only the names fit. */
const MAX_OUTLINED_SOURCES = 100;

/** Sources are listed by name, all of them or those named. */
export async function writeAgentsMd(store: Store, names: readonly string[] | null): Promise<AgentsMd> {
  const { sources, pagesOf } = await countPages(store);
  const indexed = sources
    .filter(({ name }) => names === null || names.includes(name))
    .map((source) => ({
      source,
      versions: source.versions.filter((version) => pagesOf(version) > 0).sort(newestFirst),
    }))
    .filter(({ versions }) => versions.length > 0)
    .sort((a, b) => (a.source.name < b.source.name ? -1 : 1));
  const described: AgentsSource[] = [];
  for (const { source, versions } of indexed) {
    const [newest] = versions;
    const isOutlined = newest !== undefined && described.length < MAX_OUTLINED_SOURCES;
    described.push({
      name: source.name,
      versions: versions.map(({ label }) => label),
      pages: newest === undefined ? 0 : pagesOf(newest),
      paths: isOutlined ? await pathsOf(store, source, newest) : [],
    });
  }
  return { text: writeAgentsBlock(described), sources: described.length };
}

function newestFirst(a: Version, b: Version): number {
  return compareVersions(b.label, a.label);
}

async function pathsOf(store: Store, { start }: Source, version: Version): Promise<readonly string[]> {
  const { pages } = await store.pages.list(version.id, null, SAMPLED_PAGES);
  return pages.map(({ url }) => outlinedPath(url, start));
}
