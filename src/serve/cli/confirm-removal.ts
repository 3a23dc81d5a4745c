// Asks before a source is removed: on a terminal always, elsewhere a run in progress needs --yes.

import type { RunView } from '../../actions/support/run-view.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import type { CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import type { StatusResult } from './follow-run.ts';

/** False if the user declines, who is then told that nothing happened. Raises `input.invalid`. */
export async function confirmRemoval(
  library: CommandLibrary,
  { source, project }: { readonly source: string | undefined; readonly project: string | undefined },
  runtime: CliRuntime,
): Promise<boolean> {
  const run = source === undefined ? null : await liveRun(library, source);
  const what =
    source === undefined ? `the packages that only ${project ?? ''} uses` : `${source} with its pages and history`;
  if (runtime.prompt !== null) {
    const warning = run === null ? '' : ` Its run ${run.run} is in progress and will be stopped.`;
    const answer = await runtime.prompt(`Remove ${what}?${warning} [y/N] `);
    const isConfirmed = /^y(?:es)?$/i.test(answer.trim());
    if (!isConfirmed) runtime.err('Nothing was removed.\n');
    return isConfirmed;
  }
  if (run === null) return true;
  throw pinakesError('input.invalid', {
    reason: `${source ?? ''} has a run in progress (${run.run}). Add --yes to remove it anyway, or stop it first: pinakes stop ${run.run}`,
  });
}

async function liveRun(library: CommandLibrary, source: string): Promise<RunView | null> {
  try {
    const { runs } = (await library.call('crawl_status', { run: source, brief: true })) as StatusResult;
    return runs.find(({ endedAt }) => endedAt === null) ?? null;
  } catch (error) {
    // A source without a run, or no source at all: then the removal reports it.
    if (error instanceof PinakesError && error.code === 'run.unknown') return null;
    throw error;
  }
}
