// Builds entries of a catalogue in a temporary library, with the operator's registries and none of the other settings: what is built must
// not depend on the machine.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionInput, ActionName, ActionOutput } from '../actions/actions.ts';
import type { Effect } from '../actions/action.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { EntryBuilder } from '../library/catalog/build-entries.ts';
import { sleepOrAbort } from '../platform/clock.ts';
import { configFromProgram } from '../platform/config/load-config.ts';
import { createLog } from '../platform/log.ts';
import type { CommandLibrary } from '../serve/call-action.ts';
import type { AppContext } from './app-context.ts';

const POLL_MS = 50;
/** What fails is in the result. */
const SILENT = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });

/** `open` opens a library in this process. */
export async function openEntryBuilder(
  context: AppContext,
  open: (context: AppContext, effect: Effect) => Promise<CommandLibrary>,
): Promise<EntryBuilder> {
  const { signal } = context;
  const { fetch, registry } = context.config;
  const folder = await mkdtemp(join(tmpdir(), 'pinakes-catalog-'));
  const { config, origins } = configFromProgram({ dataDir: join(folder, 'library'), fetch, registry }, folder);
  const library = await open({ ...context, config, origins, log: SILENT }, 'write');
  library.startWorker();
  let bundles = 0;

  const call = async <Name extends ActionName>(name: Name, input: ActionInput<Name>): Promise<ActionOutput<Name>> =>
    (await library.call(name, input)) as ActionOutput<Name>;

  async function runToEnd(run: number): Promise<{ readonly state: string; readonly reason: string | null }> {
    for (;;) {
      signal.throwIfAborted();
      const { runs, isSearchable } = await call('crawl_status', { run: String(run), brief: true });
      const [view] = runs;
      if (view !== undefined && view.endedAt !== null && isSearchable) return view;
      await sleepOrAbort(POLL_MS, signal);
    }
  }

  return {
    async build({ name, version, startUrl, settings }) {
      const { run } = await call('add_source', { url: startUrl, name, version, ...settings });
      const { state, reason } = await runToEnd(run);
      if (state !== 'completed')
        throw pinakesError('archive.mismatch', { name: `${name}@${version}`, reason: reason ?? state });
      bundles += 1;
      const out = join(folder, `${bundles}.zip`);
      const { indexId, archive } = await call('export_source', { source: name, version, out, compact: true });
      const bytes = await readFile(out);
      await rm(out);
      if (archive === null) throw pinakesError('internal', { reason: `${name} was not read from an archive` });
      return { bytes, indexId, input: archive.hash, license: archive.license, terms: [] };
    },
    async close() {
      await library.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
