// Selects the sources and versions to search.

import { withSuggestions } from '../core/model/edit-distance.ts';
import { pinakesError } from '../core/model/errors.ts';
import { versionVerdict } from '../core/model/version-verdict.ts';
import type { Source, Store, Version } from '../store/port.ts';

export interface SourceSelection {
  readonly source?: string | undefined;
  readonly version?: string | undefined;
}

export interface SelectedVersion {
  readonly source: Source;
  readonly version: Version;
}

/** The newest version of each source, unless one is given. Throws `source.unknown` or `version.unknown`, with suggestions. */
export async function selectVersions(store: Store, { source, version }: SourceSelection): Promise<SelectedVersion[]> {
  const sources = await store.sources.list();
  const named = sources.filter(({ name }) => source === undefined || name === source);
  if (source !== undefined && named.length === 0) {
    const names = sources.map(({ name }) => name);
    throw pinakesError('source.unknown', { source: withSuggestions(source, names) });
  }
  const selected = named.flatMap((match) => selectVersion(match, version));
  if (version !== undefined && selected.length === 0) {
    const labels = named.flatMap((match) => match.versions.map(({ label }) => (label === '' ? '(none)' : label)));
    throw pinakesError('version.unknown', { version, known: labels.slice(0, 20).join(', ') });
  }
  return selected;
}

function selectVersion(source: Source, requested: string | undefined): SelectedVersion[] {
  const verdict = versionVerdict(
    source.versions.map(({ label }) => label),
    requested ?? 'latest',
  );
  if (!verdict.found) return [];
  return source.versions.filter(({ label }) => label === verdict.label).map((version) => ({ source, version }));
}
