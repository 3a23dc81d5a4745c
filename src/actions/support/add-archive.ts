// Adds a repository or a package as a source, or a further version of it to the source that it has.

import {
  archiveSourceName,
  formatArchiveReference,
  isSameArchiveSource,
  parseArchiveReference,
  type ArchiveReference,
} from '../../core/archives/archive-reference.ts';
import { versionOfRef } from '../../core/archives/git-reference.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { intervalMs } from '../../core/model/interval.ts';
import { ARCHIVE_SETTINGS, CrawlSettings } from '../../core/model/source-settings.ts';
import type { JsonObject } from '../../store/port/json.ts';
import type { Source } from '../../store/port/sources.ts';
import type { ActionDeps } from '../action.ts';

export interface ArchiveOptions {
  readonly name: string | undefined;
  readonly version: string;
  readonly every: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
}

export async function addArchive(
  reference: ArchiveReference,
  options: ArchiveOptions,
  deps: ActionDeps,
): Promise<{ readonly source: string; readonly run: number; readonly notes?: string[] }> {
  const { store } = deps;
  const settings = archiveSettings(reference, options);
  const exact = await exactReference(reference, options.version, deps);
  const label = exact.kind === 'git' ? options.version || versionOfRef(exact.ref) : exact.range;
  const name = options.name ?? archiveSourceName(reference);
  const source = await sourceFor(name, { reference, settings, label, every: options.every }, deps);
  const version = await store.sources.addVersion(source.id, label);
  const { saveArchive, storedArchive } = await import('../../crawl/archives/stored-archive.ts');
  const stored = await storedArchive(store, version.id);
  const text = formatArchiveReference(exact);
  if (stored?.reference !== text) await saveArchive(store, version.id, { reference: text });
  const run = await store.runs.start(version.id, 'incremental', {});
  return { source: source.name, run: run.id };
}

/** Resolves a range to the current release. If the caller also names a version, that is the release: a label never stands for another one. */
async function exactReference(
  reference: ArchiveReference,
  version: string,
  { release, signal }: ActionDeps,
): Promise<ArchiveReference> {
  if (reference.kind === 'git') return reference;
  const wanted = version === '' ? reference : { ...reference, range: version };
  return { ...reference, range: (await release(wanted, signal)).version };
}

/** Raises `input.invalid` for a setting that has no effect. */
function archiveSettings(reference: ArchiveReference, { every, settings }: ArchiveOptions): JsonObject {
  const defaults: Readonly<Record<string, unknown>> = CrawlSettings.parse({});
  const allowed: readonly string[] = ARCHIVE_SETTINGS;
  const isSet = (key: string): boolean =>
    JSON.stringify(settings[key] ?? defaults[key]) !== JSON.stringify(defaults[key]);
  const other = Object.keys(defaults).find(
    (key) => isSet(key) && (!allowed.includes(key) || reference.kind === 'package'),
  );
  if (other !== undefined)
    throw pinakesError('input.invalid', {
      reason: `${other} has no effect on a source that is fetched as one archive`,
    });
  const { headers = [] } = settings;
  return { headers, every, ...(reference.kind === 'package' && { package: true }) } as JsonObject;
}

interface NewSource {
  readonly reference: ArchiveReference;
  readonly settings: JsonObject;
  readonly label: string;
  readonly every: string | null;
}

/** Raises `source.exists` if the name is that of another source. */
async function sourceFor(name: string, added: NewSource, { store }: ActionDeps): Promise<Source> {
  const { reference, settings, label, every } = added;
  const existing = await store.sources.byName(name);
  if (existing === null) {
    const startUrl = formatArchiveReference(reference);
    const due = { afterMs: every === null ? null : intervalMs(every) };
    return store.sources.add({ name, kind: 'fetched-archive', startUrl, settings }, label, due);
  }
  if (existing.kind === 'web' || !isSame(existing, reference)) throw pinakesError('source.exists', { source: name });
  if (every !== null || (Array.isArray(settings['headers']) && settings['headers'].length > 0))
    throw pinakesError('input.invalid', {
      reason: `${name} exists already; change its headers and its schedule with pinakes edit`,
    });
  return existing;
}

function isSame({ startUrl }: Source, reference: ArchiveReference): boolean {
  const start = parseArchiveReference(startUrl);
  return start !== null && isSameArchiveSource(start, reference);
}
