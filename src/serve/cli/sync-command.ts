// `pinakes sync`: one line for each package while it works, then what was done, what has no documentation and why.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { ActionProgress } from '../../actions/action.ts';
import type { syncProject } from '../../actions/sync-project.ts';
import { pluralize } from '../../core/text/plural.ts';
import { PROJECT_FILE } from '../../core/project/project-file.ts';
import { LOCKFILES } from '../../core/project/read-lockfile.ts';
import { monotonicMs, sleepOrAbort } from '../../platform/clock.ts';
import { writeProjectFile } from '../project-file.ts';
import { withLibrary, type CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import type { ProgressFormat } from './follow-run.ts';
import { EXIT } from './program-help.ts';

type SyncInput = z.output<typeof syncProject.input>;
type SyncResult = z.output<typeof syncProject.output>;

export interface SyncFlags {
  readonly format: ProgressFormat;
  readonly watch: boolean;
}

/** Returns the exit code. */
export async function runSync(provided: object, flags: SyncFlags, runtime: CliRuntime): Promise<number> {
  const input = provided as SyncInput;
  if (input.check) return printCheck(await checked(input, runtime), flags, runtime);
  return flags.watch ? watchLockfiles(input, flags, runtime) : syncOnce(input, flags, runtime);
}

/** Keeps the library open: closing it ends the process. */
function watchLockfiles(input: SyncInput, flags: SyncFlags, runtime: CliRuntime): Promise<number> {
  return withLibrary(runtime, 'write', async (library) => {
    let before = '';
    while (!runtime.stopping().aborted) {
      const now = await lockfileTimes(input.dir);
      if (now !== before) await syncWith(library, input, flags, runtime);
      before = now;
      await sleepOrAbort(WATCH_MS, runtime.stopping());
    }
    return EXIT.done;
  });
}

const WATCH_MS = 1000;

/** Changes whenever a lockfile is written. */
async function lockfileTimes(dir: string): Promise<string> {
  const times = LOCKFILES.map(async ({ file }) => {
    const found = await stat(join(dir, file)).catch(() => null);
    return found === null ? '' : `${file} ${found.mtimeMs} ${found.size}`;
  });
  return (await Promise.all(times)).join('\n');
}

function checked(input: SyncInput, runtime: CliRuntime): Promise<SyncResult> {
  return withLibrary(
    runtime,
    'read',
    async (library) => (await library.call('sync_project', { ...input, check: true })) as SyncResult,
  );
}

async function syncOnce(input: SyncInput, flags: SyncFlags, runtime: CliRuntime): Promise<number> {
  // Reading needs no owner of the library, and most syncs have nothing to do.
  const { mismatches, project } = await checked(input, runtime);
  if (mismatches.length === 0) {
    runtime.out(
      flags.format === 'json'
        ? `${JSON.stringify({ project, packages: [] })}\n`
        : 'The library matches the lockfile.\n',
    );
    return EXIT.done;
  }
  return withLibrary(runtime, 'write', (library) => syncWith(library, input, flags, runtime));
}

async function syncWith(
  library: CommandLibrary,
  input: SyncInput,
  flags: SyncFlags,
  runtime: CliRuntime,
): Promise<number> {
  const started = monotonicMs();
  library.startWorker();
  const onProgress = progressPrinter(flags, runtime);
  const result = (await library.call('sync_project', input, { onProgress })) as SyncResult;
  if (result.file !== null) await writeProjectFile(result.project, result.file);
  const { file: _file, ...shown } = result;
  const seconds = (monotonicMs() - started) / 1000;
  runtime.out(flags.format === 'json' ? `${JSON.stringify(shown)}\n` : summary(result, seconds));
  return result.packages.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.done;
}

function progressPrinter({ format }: SyncFlags, { err }: CliRuntime): (progress: ActionProgress) => void {
  return ({ step, done, total }) =>
    err(
      format === 'json'
        ? `${JSON.stringify({ progress: { step, done, total } })}\n`
        : `[${String(done).padStart(String(total).length)}/${total}] ${step}\n`,
    );
}

function printCheck(result: SyncResult, flags: SyncFlags, runtime: CliRuntime): number {
  const { mismatches, project } = result;
  const lines = mismatches.map(({ source, version, reason }) => `${source} ${version}: ${reason}\n`);
  if (flags.format === 'json') runtime.out(`${JSON.stringify({ project, mismatches })}\n`);
  else if (mismatches.length === 0) runtime.out('The library matches the lockfile.\n');
  else runtime.out(`${lines.join('')}${pluralize(mismatches.length, 'package')} to sync. Run: pinakes sync\n`);
  return mismatches.length === 0 ? EXIT.done : EXIT.failed;
}

function summary({ packages, lockfiles, removed, skipped }: SyncResult, seconds: number): string {
  const inLibrary = packages.filter(({ pages: stored }) => stored > 0);
  const without = packages.filter(({ pages: stored }) => stored === 0);
  const sites = without.filter(({ site }) => site !== null);
  const synced = packages.filter(({ state }) => state === 'synced').length;
  const pages = inLibrary.reduce((sum, one) => sum + one.pages, 0);
  const unpinned = skipped.filter(({ reason }) => reason !== 'local');
  return [
    `${pluralize(inLibrary.length, 'package')} of ${lockfiles.join(', ')} in the library, with ${pluralize(pages, 'page')}; ${synced} read now, in ${seconds.toFixed(1)} s.`,
    ...(without.length === 0 ? [] : [`Without documentation: ${pluralize(without.length, 'package')}`]),
    ...without.map(
      ({ source, version, reason, site }) =>
        `  ${source} ${version}: ${reason ?? ''}${site === null ? '' : `; its site is ${site}`}`,
    ),
    ...(sites.length === 0
      ? []
      : [
          `To crawl ${sites.length === 1 ? 'this site' : `these ${sites.length} sites`}: pinakes sync --crawl. What that takes: pinakes plan URL`,
        ]),
    ...(unpinned.length === 0
      ? []
      : [
          `Not read from the lockfile: ${unpinned
            .map(({ name }) => name)
            .slice(0, 10)
            .join(', ')}`,
        ]),
    ...(removed.length === 0 ? [] : [`Removed, because no project uses them any more: ${removed.join(', ')}`]),
    `${PROJECT_FILE} names them. Next: pinakes search --project . "…", or pinakes mcp --project .`,
    '',
  ].join('\n');
}
