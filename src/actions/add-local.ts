// Adds local content as a source and starts a run over it. The same folder again is the same source, brought up to date.

import { basename } from 'node:path';
import { localSourceName } from '../core/local/local-source-name.ts';
import type { LocalStart } from '../fetch/port.ts';
import type { Source } from '../store/port.ts';
import type { ActionDeps } from './action.ts';

export interface LocalAdded {
  readonly source: string;
  readonly run: number;
  /** The caller works on it itself: other processes may not have the files. */
  readonly local: true;
}

export async function addLocal(
  start: LocalStart,
  wanted: { readonly name: string | undefined; readonly version: string },
  { store }: ActionDeps,
): Promise<LocalAdded> {
  const name = wanted.name ?? (start.about?.name || localSourceName(basename(start.path)));
  const before = await store.sources.byName(name);
  const isSame = before !== null && before.kind === 'folder' && before.start === start.path;
  const source: Source = isSame
    ? before
    : await store.sources.add({ name, kind: 'folder', start: start.path, settings: {} }, wanted.version);
  const version = source.versions.at(-1);
  if (version === undefined) throw new Error(`source ${name} has no version`);
  const run = await store.runs.start(version.id, 'incremental', {});
  return { source: source.name, run: run.id, local: true };
}
