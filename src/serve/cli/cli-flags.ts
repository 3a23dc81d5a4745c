// Flags that only the command line has: how they are written, and what they do. A binding names those that its command takes.

import { resolve } from 'node:path';
import type { CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import { followAnalysis, followRun, type ProgressFormat } from './follow-run.ts';

/** One command while it runs. */
export interface CommandCall {
  readonly library: CommandLibrary;
  readonly input: Readonly<Record<string, unknown>>;
  readonly runtime: CliRuntime;
  readonly format: ProgressFormat;
}

/** Printed instead of the result of the action; `name` selects its rendering. */
export interface FlagAnswer {
  readonly name: 'run' | 'show_analysis' | 'agents_file' | 'llms_file';
  readonly answer: unknown;
}

/** `value` is what the user typed; undefined without the flag. */
export interface CliFlag {
  /** In commander's syntax: `--out <file>`. */
  readonly option: string;
  readonly description: string;
  /** In place of the action, before a library is opened; returns the exit code. */
  run?(input: CommandCall['input'], value: unknown, call: Omit<CommandCall, 'library' | 'input'>): Promise<number>;
  /** The library that the command uses instead. */
  limit?(library: CommandLibrary, value: unknown): Promise<CommandLibrary>;
  /** Before the action: false ends the command, which then failed. */
  confirm?(call: CommandCall, value: unknown): Promise<boolean>;
  /** In place of the action: whether it did everything. */
  replace?(call: CommandCall, value: unknown): Promise<boolean>;
  /** After the action; null where its result is printed. */
  finish?(call: CommandCall, result: unknown, value: unknown): Promise<FlagAnswer | null>;
}

const WAIT: CliFlag = {
  option: '--wait',
  description: 'Wait until the run has ended and show its progress',
  async finish(call, result, value) {
    if (value !== true) return null;
    const { runId } = result as { readonly runId?: string };
    if (runId === undefined) return waitForRun(call, result);
    return { name: 'show_analysis', answer: await followAnalysis(call.library, runId, call.runtime, call.format) };
  },
};

const WRITE: CliFlag = {
  option: '--write <file>',
  description: 'Write the block to this file, replacing an earlier one',
  async finish(_, result, value) {
    if (typeof value !== 'string') return null;
    const { writeAgentsMd } = await import('./write-agents-md.ts');
    const block = result as { text: string; sources: number };
    return { name: 'agents_file', answer: await writeAgentsMd(resolve(value), block) };
  },
};

const OUT: CliFlag = {
  option: '--out <file>',
  description: 'Write to this file, replacing its content',
  async finish(_, result, value) {
    if (typeof value !== 'string') return null;
    const { updateTextFile } = await import('../../platform/user-files.ts');
    const { text, pages } = result as { text: string; pages: number };
    const file = resolve(value);
    return { name: 'llms_file', answer: { file, pages, outcome: await updateTextFile(file, () => text) } };
  },
};

const FOLLOW: CliFlag = {
  option: '--follow',
  description: 'Print changes as they are made, until stopped; with --json one object per line',
  async replace({ library, input, runtime, format }, value) {
    if (value !== true) return false;
    const { followChanges } = await import('./follow-changes.ts');
    await followChanges(library, input, runtime, format);
    return true;
  },
};

const YES: CliFlag = {
  option: '--yes',
  description: 'Do not ask, even while a run is in progress',
  async confirm({ library, input, runtime }, value) {
    if (value === true) return true;
    const { confirmRemoval } = await import('./confirm-removal.ts');
    const { source, project } = input as { readonly source?: string; readonly project?: string };
    return confirmRemoval(library, { source, project }, runtime);
  },
};

const WATCH: CliFlag = {
  option: '--watch',
  description: 'Sync again whenever a lockfile changes, until stopped',
  async run(input, value, { runtime, format }) {
    const { runSync } = await import('./sync-command.ts');
    return runSync(input, { watch: value === true, format }, runtime);
  },
};

const PROJECT: CliFlag = {
  option: '--project <dir>',
  description: 'Only the packages of the project in this folder, at the versions it uses',
  async limit(library, value) {
    if (typeof value !== 'string') return library;
    const { scopeCall } = await import('../project-scope.ts');
    const { loadProjectScope } = await import('../project-file.ts');
    const scope = await loadProjectScope(value);
    return { ...library, call: scopeCall(library.call, async () => scope) };
  },
};

/** By the name under which commander returns the value. */
const CLI_FLAGS: ReadonlyMap<string, CliFlag> = new Map([
  ['wait', WAIT],
  ['write', WRITE],
  ['out', OUT],
  ['follow', FOLLOW],
  ['yes', YES],
  ['watch', WATCH],
  ['project', PROJECT],
]);

/** Throws for a name that no flag has, so that a wrong binding fails at the start. */
export function cliFlagNamed(name: string): CliFlag {
  const flag = CLI_FLAGS.get(name);
  if (flag === undefined) throw new Error(`no flag of the command line has the name ${name}`);
  return flag;
}

/** Follows the run that an action started. */
export async function waitForRun({ library, runtime, format }: CommandCall, result: unknown): Promise<FlagAnswer> {
  const { run } = result as { run: number };
  return { name: 'run', answer: await followRun(library, run, runtime, format) };
}
