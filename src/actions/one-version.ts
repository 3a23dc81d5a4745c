// The version of a source that an action works on.

import { pinakesError } from '../core/model/errors.ts';
import type { Source, Store, Version } from '../store/port.ts';

/** Raises `source.unknown`. The newest version, unless one is named. */
export async function oneVersion(
  store: Store,
  name: string,
  label: string | undefined,
): Promise<{ readonly source: Source; readonly version: Version }> {
  const source = await store.sources.byName(name);
  if (source === null) throw pinakesError('source.unknown', { source: name });
  const version = label === undefined ? source.versions.at(-1) : source.versions.find((one) => one.label === label);
  if (version === undefined) throw pinakesError('source.unknown', { source: `${name} ${label ?? ''}`.trim() });
  return { source, version };
}
