// Selects the sources and versions to search.

import { withSuggestions } from '../core/model/edit-distance.ts';
import { pinakesError } from '../core/model/errors.ts';
import { pickVersion, unknownVersion } from '../core/model/version-verdict.ts';
import type { Source, Store, Version } from '../store/port.ts';

export interface SourceSelection {
  readonly source?: string | undefined;
  readonly version?: string | undefined;
}

export interface SelectedVersion {
  readonly source: Source;
  readonly version: Version;
}

/** The highest version of each source, unless one is given. Throws `source.unknown` or `version.unknown`, with suggestions. */
export async function selectVersions(store: Store, { source, version }: SourceSelection): Promise<SelectedVersion[]> {
  const sources = await store.sources.list();
  const named = sources.filter(({ name }) => source === undefined || name === source);
  if (source !== undefined && named.length === 0) {
    const names = sources.map(({ name }) => name);
    throw pinakesError('source.unknown', { source: withSuggestions(source, names) });
  }
  const selected = named.flatMap((match) => {
    const picked = pickVersion(match.versions, version);
    return picked === undefined ? [] : [{ source: match, version: picked }];
  });
  if (version !== undefined && selected.length === 0) {
    throw unknownVersion(
      named.flatMap(({ versions }) => versions),
      version,
    );
  }
  return selected;
}
