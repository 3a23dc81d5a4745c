// Runs the action of a command: checks its input, calls it in a library, and prints what it returns.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Action } from '../../actions/action.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { issueSentence } from '../../core/text/issue-text.ts';
import { waitForRun, type CliFlag, type CommandCall } from './cli-flags.ts';
import { withLibrary, type CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import { createProgressReporter, followRun, type ProgressFormat } from './follow-run.ts';
import { EXIT } from './program-help.ts';
import type { TypedInput } from './render/render-answer.ts';

export interface Invocation {
  readonly action: Action;
  readonly input: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly cliFlags: ReadonlyArray<readonly [name: string, flag: CliFlag]>;
  readonly nameOf: (path: readonly PropertyKey[]) => string;
  readonly startsWorker: boolean;
}

export async function runAction(
  { action, input: commandInput, flags, cliFlags, nameOf, startsWorker }: Invocation,
  runtime: CliRuntime,
): Promise<number> {
  const parsed = action.input.safeParse(commandInput, { reportInput: true });
  if (!parsed.success)
    throw pinakesError('input.invalid', {
      reason: parsed.error.issues.map((issue) => issueSentence(nameOf(issue.path), issue)).join('; '),
    });
  await action.check?.(parsed.data, existsSync);
  const format = flags['json'] === true ? 'json' : 'text';
  for (const [name, flag] of cliFlags) {
    const code = await flag.run?.(parsed.data, flags[name], { runtime, format });
    if (code !== undefined) return code;
  }
  const folder = folderToExport(action, parsed.data);
  const input = folder === null ? parsed.data : { ...parsed.data, source: await addFolder(folder, runtime, format) };
  return withLibrary(runtime, action.effect, async (opened) => {
    const library = await limitedLibrary(opened, { flags, cliFlags });
    const call = { library, input, runtime, format } as const;
    for (const [name, flag] of cliFlags) {
      if ((await flag.confirm?.(call, flags[name])) === false) return EXIT.failed;
      if ((await flag.replace?.(call, flags[name])) === true) return EXIT.done;
    }
    if (startsWorker) library.startWorker();
    const onProgress = createProgressReporter(runtime, format);
    const result = (await library.call(action.name, input, { onProgress })) as ActionResult;
    if (action.name === 'add_source' && runtime.isTerminal && result.local !== true) await suggestContact(runtime);
    await printNotices(action.name, result, flags, runtime);
    const { name, answer } = await answerOf({ action, flags, cliFlags }, call, result);
    return print({ name, input: name === action.name ? input : {} }, answer, flags, runtime);
  });
}

async function limitedLibrary(
  opened: CommandLibrary,
  { flags, cliFlags }: Pick<Invocation, 'flags' | 'cliFlags'>,
): Promise<CommandLibrary> {
  let library = opened;
  for (const [name, flag] of cliFlags) library = (await flag.limit?.(library, flags[name])) ?? library;
  return library;
}

interface ActionResult {
  readonly local?: boolean;
}

/** The printed answer: made by a flag, or the result itself. */
async function answerOf(
  { action, flags, cliFlags }: Pick<Invocation, 'action' | 'flags' | 'cliFlags'>,
  call: CommandCall,
  result: ActionResult,
): Promise<{ readonly name: string; readonly answer: unknown }> {
  // Local content is indexed right away, so that it can be searched.
  if (result.local === true) return waitForRun(call, result);
  for (const [name, flag] of cliFlags) {
    const answer = await flag.finish?.(call, result, flags[name]);
    if (answer !== undefined && answer !== null) return answer;
  }
  return { name: action.name, answer: result };
}

/** A remote server has its own settings. */
async function suggestContact(runtime: CliRuntime): Promise<void> {
  const { server, fetch } = (await runtime.config()).config;
  const { contactHint } = await import('../../platform/check-machine.ts');
  const hint = server === undefined ? contactHint(fetch.userAgent) : null;
  if (hint !== null) runtime.err(`${hint}\n`);
}

/** `export ./docs` adds or updates the folder first. */
function folderToExport(action: Action, input: Readonly<Record<string, unknown>>): string | null {
  const source = action.name === 'export_source' ? String(input['source']) : '';
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|[a-z]:[/\\])/i.test(source) ? source : null;
}

function addFolder(folder: string, runtime: CliRuntime, format: ProgressFormat): Promise<string> {
  return withLibrary(runtime, 'write', async (library) => {
    const url = resolve(folder);
    const added = (await library.call('add_source', { url, version: '' })) as { source: string; run: number };
    const { state, reason } = await followRun(library, added.run, runtime, format);
    if (state === 'failed') throw pinakesError('files.unreadable', { path: folder, reason: reason ?? state });
    return added.source;
  });
}

async function print(
  { name, input }: { readonly name: string; readonly input: TypedInput },
  result: unknown,
  flags: Readonly<Record<string, unknown>>,
  runtime: CliRuntime,
): Promise<number> {
  runtime.out(
    flags['json'] === true ? `${JSON.stringify(result)}\n` : await renderLazily({ name, input }, result, runtime),
  );
  return isSuccess(name, result as CheckedResult) ? EXIT.done : EXIT.failed;
}

/** Sentences that are not part of the result, so that a script can use stdout as it is. */
async function printNotices(
  name: string,
  result: unknown,
  flags: Readonly<Record<string, unknown>>,
  runtime: CliRuntime,
): Promise<void> {
  if (flags['json'] === true) return;
  const { renderNotices } = await import('./render/render-answer.ts');
  runtime.err(renderNotices(name, result));
}

/** Imported lazily: help and JSON output do not need it. */
async function renderLazily(
  { name, input }: { readonly name: string; readonly input: TypedInput },
  result: unknown,
  { width, colors }: CliRuntime,
): Promise<string> {
  const { renderResult } = await import('./render/render-answer.ts');
  return renderResult(name, result, { width, colors }, input);
}

/** The fields of a result that can make the command fail. */
interface CheckedResult {
  readonly violations?: readonly unknown[];
  readonly state?: string;
  /** The verdict of a plan. */
  readonly verdict?: { readonly isBlocking?: boolean } | string | null;
  /** Whether a source is ready for a backfill. */
  readonly ready?: boolean;
}

function isSuccess(
  name: string,
  { violations = [], state = '', verdict = null, ready = true }: CheckedResult,
): boolean {
  const isBlocked = typeof verdict === 'object' && verdict?.isBlocking === true;
  return ready && violations.length === 0 && !isBlocked && (name !== 'run' || state === 'completed');
}
