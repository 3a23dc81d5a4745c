// Resolves what a user names: a version of a source, a page, or a run.

import { z } from 'zod';
import { withSuggestions } from '../../core/text/edit-distance.ts';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';
import { parsePageReference } from '../../core/files/file-url.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { findSource } from '../../core/model/source-reference.ts';
import { pickVersion, unknownVersion } from '../../core/model/version-verdict.ts';
import type { Store } from '../../store/port.ts';
import type { StoredDocument } from '../../store/port/pages.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source, Version } from '../../store/port/sources.ts';

/** Raises `source.unknown`, with suggestions. */
export async function resolveSource({ sources }: Pick<Store, 'sources'>, name: string): Promise<Source> {
  const source = await sources.byName(name);
  if (source !== null) return source;
  throw unknownSource(name, await sources.list());
}

function unknownSource(name: string, sources: readonly Source[]): PinakesError {
  const names = sources.map((known) => known.name);
  return pinakesError('source.unknown', { source: withSuggestions(name, names) });
}

/** Raises `source.other-machine` for a folder that this machine does not have. */
export function requireLocalMachine({ name, remoteMachine }: Source): void {
  if (remoteMachine !== null) throw pinakesError('source.other-machine', { source: name, machine: remoteMachine });
}

/** Raises `source.unknown` or `version.unknown`. The highest version, unless one is named, by itself or after the name. */
export async function resolveVersion(
  store: Store,
  name: string,
  label: string | undefined,
): Promise<{ readonly source: Source; readonly version: Version }> {
  const sources = await store.sources.list();
  const found = findSource(sources, name);
  if (found === undefined) throw unknownSource(name, sources);
  const { source } = found;
  const requested = found.version ?? label;
  const version = pickVersion(source.versions, requested);
  if (version === undefined) throw unknownVersion(source.versions, requested);
  return { source, version };
}

export const PAGE_REFERENCE = {
  source: z.string().min(1).describe('The name of a source'),
  url: z.string().min(1).max(4000).describe('The URL of the page, or the path of a file inside its folder'),
  version: z.string().optional().describe('The version; the newest by default'),
};

export interface PageReference {
  readonly source: string;
  readonly url: string;
  readonly version?: string | undefined;
}

export interface ResolvedPage {
  readonly source: Source;
  readonly version: Version;
  readonly page: StoredDocument;
}

/** Raises `source.unknown`, `version.unknown` or `page.unknown`. */
export async function resolvePage(
  store: Store,
  { source: name, url, version: label }: PageReference,
): Promise<ResolvedPage> {
  const { source, version } = await resolveVersion(store, name, label);
  for (const referred of referredUrls(url, source.startUrl)) {
    const page = await store.pages.get(version.id, referred);
    if (page !== null) return { source, version, page };
  }
  throw pinakesError('page.unknown', { page: url });
}

/** The pages that a URL or a path may name, best first; the text as it is comes last. */
export function referredUrls(text: string, startUrl: string): readonly PageUrl[] {
  return [...parsePageReference(text, startUrl).map(({ url }) => url), text as PageUrl];
}

/** The newest run of all, unless a source has this name. */
const LATEST = 'latest';

export const RUN_REFERENCE = 'The number of a run, the name of a source for its latest run, or `latest`';

/** Raises `run.unknown`, with suggestions. */
export async function resolveRun(store: Store, reference: string): Promise<Run> {
  const found = /^\d{1,15}$/.test(reference)
    ? await store.runs.byId(Number(reference) as RunId)
    : await latestRun(store, reference);
  if (found !== null) return found;
  const names = (await store.sources.list()).map(({ name }) => name);
  throw pinakesError('run.unknown', { run: names.includes(reference) ? reference : withSuggestions(reference, names) });
}

/** Null, for all runs, without a reference. */
export async function resolveRunId(store: Store, reference: string | undefined): Promise<RunId | null> {
  return reference === undefined ? null : (await resolveRun(store, reference)).id;
}

async function latestRun(store: Store, name: string): Promise<Run | null> {
  const source = await store.sources.byName(name);
  if (source === null && name !== LATEST) return null;
  const [latest] = await store.runs.list(1, source?.id);
  return latest ?? null;
}
