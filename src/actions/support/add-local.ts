// Adds a folder, a file, an archive or a bundle of this machine as a source, or reads it again.

import { basename } from 'node:path';
import { parsePageUrl } from '../../core/model/page-url.ts';
import { sourceNameFromPath } from '../../core/model/source-name.ts';
import { pickVersion } from '../../core/model/version-verdict.ts';
import type { LocalStart } from '../../fetch/port.ts';
import type { ActionDeps } from '../action.ts';
import { requireLocalMachine } from './resolve.ts';

export interface AddedLocal {
  readonly source: string;
  readonly run: number;
  /** The caller crawls the folder itself: other processes may not have the files. */
  readonly local: true;
}

/** Adds local content as a source and starts a run. Adding the same folder again updates the existing source. */
export async function addLocal(
  start: LocalStart,
  options: { readonly name: string | undefined; readonly version: string },
  { store }: ActionDeps,
): Promise<AddedLocal> {
  const name = options.name ?? (start.about?.name || sourceNameFromPath(basename(start.path)));
  const existing = await store.sources.byName(name);
  const isSame = existing !== null && existing.kind === 'folder' && existing.startUrl === start.path;
  if (!isSame) {
    const startUrl = parsePageUrl(start.about?.startUrl ?? '');
    const settings = startUrl === null ? {} : { startUrl };
    const definition = { name, kind: 'folder', startUrl: start.path, settings } as const;
    const { run } = await store.sources.addWithRun(definition, options.version);
    return { source: name, run: run.id, local: true };
  }
  requireLocalMachine(existing);
  const version = pickVersion(existing.versions);
  if (version === undefined) throw new Error(`source ${name} has no version`);
  const run = await store.runs.start(version.id, 'incremental', {});
  return { source: name, run: run.id, local: true };
}
