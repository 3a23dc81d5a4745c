// Selects the sources and versions to search.

import { editDistance } from '../core/model/edit-distance.ts';
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
    const suggestions = suggestNames(
      source,
      sources.map(({ name }) => name),
    );
    throw pinakesError('source.unknown', {
      source: suggestions.length === 0 ? source : `${source} (did you mean ${suggestions.join(' or ')}?)`,
    });
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

const MAX_DISTANCE = 3;
const MAX_SUGGESTIONS = 5;

/** Closest first: names that contain the given one or are contained in it, then those within a small edit distance. */
export function suggestNames(misspelled: string, names: readonly string[]): string[] {
  const query = misspelled.toLowerCase().slice(0, 100);
  const scored = names.map((name) => {
    const lower = name.toLowerCase().slice(0, 100);
    const contains = query.length >= 2 && (lower.includes(query) || query.includes(lower));
    return { name, distance: contains ? 0 : editDistance(query, lower, MAX_DISTANCE) };
  });
  const close = scored.filter(({ distance }) => distance <= MAX_DISTANCE);
  close.sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1));
  return close.slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}
