// Which versions of which sources a question is asked of.

import { pinakesError } from '../core/model/errors.ts';
import { nearNames } from '../core/model/did-you-mean.ts';
import { versionVerdict } from '../core/model/version-verdict.ts';
import type { Source, Store, Version } from '../store/port.ts';

export interface SearchScope {
  readonly source?: string | undefined;
  readonly version?: string | undefined;
}

export interface ScopedVersion {
  readonly source: Source;
  readonly version: Version;
}

/** The newest version of each source, unless one is named. Raises `source.unknown` or `version.unknown`, with near names. */
export async function scopedVersions(store: Store, { source, version }: SearchScope): Promise<ScopedVersion[]> {
  const sources = await store.sources.list();
  const named = sources.filter(({ name }) => source === undefined || name === source);
  if (source !== undefined && named.length === 0) {
    const near = nearNames(
      source,
      sources.map(({ name }) => name),
    );
    throw pinakesError('source.unknown', {
      source: near.length === 0 ? source : `${source}; near: ${near.join(', ')}`,
    });
  }
  const scoped = named.flatMap((one) => ofSource(one, version));
  if (version !== undefined && scoped.length === 0) {
    const known = named.flatMap((one) => one.versions.map(({ label }) => (label === '' ? '(none)' : label)));
    throw pinakesError('version.unknown', { version, known: known.slice(0, 20).join(', ') });
  }
  return scoped;
}

function ofSource(source: Source, wanted: string | undefined): ScopedVersion[] {
  const verdict = versionVerdict(
    source.versions.map(({ label }) => label),
    wanted ?? 'latest',
  );
  if (!verdict.found) return [];
  return source.versions.filter(({ label }) => label === verdict.label).map((version) => ({ source, version }));
}
