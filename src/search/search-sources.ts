// Selects the sources and versions to search.

import { withSuggestions } from '../core/text/edit-distance.ts';
import { pinakesError } from '../core/model/errors.ts';
import { createSourceFinder } from '../core/model/source-reference.ts';
import { pickVersion, unknownVersion } from '../core/model/version-verdict.ts';
import type { Store } from '../store/port.ts';
import type { Source, Version } from '../store/port/sources.ts';

export interface SourceSelection {
  /** One or more, each by its name or with its version: `npm:zod@3.25.1`. */
  readonly source?: string | readonly string[] | undefined;
  readonly version?: string | undefined;
}

export interface SelectedVersion {
  readonly source: Source;
  readonly version: Version;
}

/** The highest version of each source, unless one is given. Throws `source.unknown` or `version.unknown`, with suggestions. */
export async function selectVersions(store: Store, { source, version }: SourceSelection): Promise<SelectedVersion[]> {
  const sources = await store.sources.list();
  if (source !== undefined) return selectNamed(sources, [source].flat(), version);
  const selected = sources.flatMap((match) => {
    const picked = pickVersion(match.versions, version);
    return picked === undefined ? [] : [{ source: match, version: picked }];
  });
  if (version !== undefined && selected.length === 0) {
    throw unknownVersion(
      sources.flatMap(({ versions }) => versions),
      version,
    );
  }
  return selected;
}

/** A source that is named twice, or with two versions, is searched once for each version. */
function selectNamed(
  sources: readonly Source[],
  references: readonly string[],
  version: string | undefined,
): SelectedVersion[] {
  const selected = new Map<Version['id'], SelectedVersion>();
  const find = createSourceFinder(sources);
  for (const reference of new Set(references)) {
    const found = find(reference);
    if (found === undefined) {
      const names = sources.map(({ name }) => name);
      throw pinakesError('source.unknown', { source: withSuggestions(reference, names) });
    }
    const { versions } = found.source;
    const requested = found.version ?? version;
    const picked = pickVersion(versions, requested);
    if (picked === undefined && requested !== undefined) throw unknownVersion(versions, requested);
    if (picked !== undefined) selected.set(picked.id, { source: found.source, version: picked });
  }
  return [...selected.values()];
}
