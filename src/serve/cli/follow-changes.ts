// `pinakes changes --follow`: prints changes as they are made, until the user stops it.

import type { ActionOutput } from '../../actions/actions.ts';
import { WAIT_SECONDS } from '../../client/follow-changes.ts';
import type { ProgressFormat } from './follow-run.ts';
import type { CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import { changeLine } from './render/render-changes.ts';

export async function followChanges(
  library: CommandLibrary,
  input: Readonly<Record<string, unknown>>,
  runtime: CliRuntime,
  format: ProgressFormat,
): Promise<void> {
  const signal = runtime.stopping();
  for (let since = input['since']; !signal.aborted;) {
    const next = { ...input, since, wait: WAIT_SECONDS };
    const { changes, position } = await (
      library.call('list_changes', next, { signal }) as Promise<ActionOutput<'list_changes'>>
    ).catch((error: unknown) => {
      if (signal.aborted) return { changes: [], position: since };
      throw error;
    });
    for (const change of changes)
      runtime.out(format === 'json' ? `${JSON.stringify(change)}\n` : `${changeLine(change)}\n`);
    since = position;
  }
}
