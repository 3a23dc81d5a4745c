// The block for AGENTS.md: which sources the library has, and an outline of each from the paths of its pages.

import { writeAgentsBlock, type AgentsSource } from '../core/export/agents/agents-block.ts';
import { outlinedPath } from '../core/export/agents/path-outline.ts';
import { createSourceFinder } from '../core/model/source-reference.ts';
import { compareVersions } from '../core/model/version-verdict.ts';
import type { Store } from '../store/port.ts';
import type { Source, Version } from '../store/port/sources.ts';
import { compareText } from '../core/text/compare-text.ts';

export interface AgentsMd {
  readonly text: string;
  /** Sources with at least one page. */
  readonly sources: number;
}

/** Pages of one source that its outline is made from. The store returns them in the order of their keys: an even sample. */
const SAMPLED_PAGES = 1000;
/** Beyond this number, only the names of sources fit. */
const MAX_OUTLINED_SOURCES = 100;

/** Sources are listed by name, all of them or those named. */
export async function writeAgentsMd(store: Store, names: readonly string[] | null): Promise<AgentsMd> {
  const sources = await store.sources.list();
  const named = names?.map(createSourceFinder(sources)) ?? null;
  const isNamed = (source: Source, { label }: Version): boolean =>
    named === null ||
    named.some((one) => one?.source.id === source.id && (one.version === undefined || one.version === label));
  const indexed = sources
    .map((source) => ({
      source,
      versions: source.versions.filter((version) => isNamed(source, version) && version.hasPages).sort(newestFirst),
    }))
    .filter(({ versions }) => versions.length > 0)
    .sort((a, b) => compareText(a.source.name, b.source.name));
  const newest = indexed.flatMap(({ versions }) => versions[0]?.id ?? []);
  const stats = await store.stats.versions(newest);
  const pagesOf = new Map(stats.map(({ version, pages }) => [version, pages]));
  const described: AgentsSource[] = [];
  for (const { source, versions } of indexed) {
    const [latest] = versions;
    const isOutlined = latest !== undefined && described.length < MAX_OUTLINED_SOURCES;
    described.push({
      name: source.name,
      versions: versions.map(({ label }) => label),
      pages: latest === undefined ? 0 : (pagesOf.get(latest.id) ?? 0),
      paths: isOutlined ? await pathsOf(store, source, latest) : [],
    });
  }
  return { text: writeAgentsBlock(described), sources: described.length };
}

function newestFirst(a: Version, b: Version): number {
  return compareVersions(b.label, a.label);
}

async function pathsOf(store: Store, { startUrl }: Source, version: Version): Promise<readonly string[]> {
  const { pages } = await store.pages.list(version.id, null, SAMPLED_PAGES);
  return pages.map(({ url }) => outlinedPath(url, startUrl));
}
