// Puts the block for agents into a file of the user, such as AGENTS.md: replaced where it is, otherwise added at the end.

import { replaceBlock } from '../../core/export/agents/marked-block.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { updateTextFile } from '../../platform/user-files.ts';

export interface WrittenAgentsMd {
  /** Absolute. */
  readonly file: string;
  readonly sources: number;
  readonly outcome: 'created' | 'written' | 'unchanged';
}

/** Raises `agents-md.malformed` or `export.refused`; then the file is as it was. */
export async function writeAgentsMd(
  file: string,
  { text: block, sources }: { readonly text: string; readonly sources: number },
): Promise<WrittenAgentsMd> {
  const outcome = await updateTextFile(file, (before) => {
    const verdict = replaceBlock(before, block);
    if (verdict.kind === 'malformed') throw pinakesError('agents-md.malformed', { path: file, reason: verdict.reason });
    return verdict.text;
  });
  return { file, sources, outcome };
}
