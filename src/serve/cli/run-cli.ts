// The command line: one command per action binding, and the few that concern only this process.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Action, CliBinding, Effect } from '../../actions/action.ts';
import { actionList } from '../../actions/actions.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { issueSentence } from '../../core/model/issue-text.ts';
import { systemReason } from '../../platform/data-directory.ts';
import type { CliRuntime, OpenLibrary } from './cli-runtime.ts';
import {
  addFlags,
  checkRenamed,
  cliBindings,
  cliInputName,
  collectInput,
  createActionCommand,
} from './action-command.ts';
import { createProgressReporter, followRun, type ProgressForm } from './follow-run.ts';
import { addProcessCommands, COMPLETION } from './process-commands.ts';
import { describeProgram, EXIT, settingsFromFlags } from './program-help.ts';
import { paint } from './render/paint.ts';
import type { ActionInput } from './render/render-answer.ts';

export async function runCli(argv: readonly string[], runtime: CliRuntime): Promise<number> {
  let code: number = EXIT.done;
  const typed = new Set(argv);
  const isTyped = ({ command }: CliBinding): boolean => command.split(' ').every((word) => typed.has(word));
  const program = createProgram(
    runtime,
    (ended) => (code = ended),
    (binding) => isTyped(binding) || typed.has(COMPLETION),
  );
  // Program flags are also accepted after a command, where `--version 3.2` is the version of the documentation.
  if (!argv.some((word) => !word.startsWith('-')))
    program.version(runtime.version, '-V, --version', 'Print the version');
  try {
    checkRenamed(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return reportFailure(error, runtime, argv.includes('--json'));
  }
}

/** Every command, with the flags of those that need them; the reference pages are generated from it too. */
export function createProgram(
  runtime: CliRuntime,
  setCode: (code: number) => void,
  needsFlags: (binding: CliBinding) => boolean = () => true,
): Command {
  const program = describeProgram(new Command('pinakes'), runtime);
  program.hook('preAction', (_, command) => runtime.applyFlags(settingsFromFlags(program, command)));
  for (const action of actionList) {
    for (const binding of cliBindings(action)) {
      const command = createActionCommand(action, binding);
      if (needsFlags(binding)) addFlags(command, action, binding);
      command.option('--json', 'Print the result as JSON');
      if (WAITABLE.has(binding.command)) command.option('--wait', 'Wait until the run has ended and show its progress');
      if (action.name === AGENTS_MD)
        command.option('--write <file>', 'Put the block into this file, in place of the one from last time');
      if (action.name === LLMS_TXT) command.option('--out <file>', 'Write it to this file, in place of what is there');
      if (action.name === CHANGES)
        command.option('--follow', 'Print changes as they are made, until stopped; with --json one object per line');
      if (action.name === REMOVAL) command.option('--yes', 'Do not ask, even while a run is in progress');
      command.action(async (...args: unknown[]) => {
        const flags = command.opts<Record<string, unknown>>();
        const input = collectInput(action, binding, args, flags);
        setCode(await perform({ action, input, flags, nameOf: (path) => cliInputName(binding, path) }, runtime));
      });
      parentCommand(program, binding.command).addCommand(command.copyInheritedSettings(program));
    }
  }
  addProcessCommands(program, runtime, setCode);
  return program;
}

/** Command groups. */
const GROUPS: Readonly<Record<string, string>> = {
  model: 'Manage embedding models',
  sources: 'Export, import and apply source definitions',
  token: 'Manage access tokens of the HTTP server',
  webhooks: 'Send changes to other programs',
};

/** `token create` is the command `create` of the group `token`. */
function parentCommand(program: Command, words: string): Command {
  const [first = '', second] = words.split(' ');
  if (second === undefined) return program;
  const existing = program.commands.find((command) => command.name() === first);
  return (
    existing ??
    program
      .command(first)
      .summary(GROUPS[first] ?? '')
      .description(GROUPS[first] ?? '')
  );
}

interface Invocation {
  readonly action: Action;
  readonly input: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly nameOf: (path: readonly PropertyKey[]) => string;
}

async function perform({ action, input: givenInput, flags, nameOf }: Invocation, runtime: CliRuntime): Promise<number> {
  const parsed = action.input.safeParse(givenInput, { reportInput: true });
  if (!parsed.success)
    throw pinakesError('input.invalid', {
      why: parsed.error.issues.map((issue) => issueSentence(nameOf(issue.path), issue)).join('; '),
    });
  await action.check?.(parsed.data, existsSync);
  const form = flags['json'] === true ? 'json' : 'text';
  const folder = folderToExport(action, parsed.data);
  const input = folder === null ? parsed.data : { ...parsed.data, source: await addFolder(folder, runtime, form) };
  return withLibrary(runtime, action.effect, async (library) => {
    if (action.name === REMOVAL && flags['yes'] !== true) {
      const { confirmRemoval } = await import('./confirm-removal.ts');
      if (!(await confirmRemoval(library, String(input['source']), runtime))) return EXIT.failed;
    }
    if (flags['follow'] === true) return printChanges(library, input, runtime, form);
    const result = (await library.call(action.name, input, { onProgress: createProgressReporter(runtime, form) })) as {
      run: number;
      local?: boolean;
    };
    if (action.name === 'add_source' && runtime.isTerminal && result.local !== true) await suggestContact(runtime);
    const written = await writeFileOf(action.name, result, flags);
    if (written !== null) return print(written.name, written.answer, flags, runtime);
    // Local content is indexed right away, so that it can be searched.
    if (flags['wait'] !== true && result.local !== true)
      return print({ name: action.name, input }, result, flags, runtime);
    await printNotices(action.name, result, flags, runtime);
    return print(RUN, await followRun(library, result.run, runtime, form), flags, runtime);
  });
}

/** What two commands put into a file of the user, in place of the output; null for every other command. */
async function writeFileOf(
  action: string,
  result: unknown,
  flags: Readonly<Record<string, unknown>>,
): Promise<{ readonly name: typeof LLMS_FILE; readonly answer: unknown } | null> {
  if (action === AGENTS_MD && typeof flags['write'] === 'string') {
    const { writeAgentsMd } = await import('./write-agents-md.ts');
    const block = result as { text: string; sources: number };
    return { name: AGENTS_FILE, answer: await writeAgentsMd(resolve(flags['write']), block) };
  }
  if (action === LLMS_TXT && typeof flags['out'] === 'string') {
    const { updateTextFile } = await import('../../platform/user-files.ts');
    const { text, pages } = result as { text: string; pages: number };
    const file = resolve(flags['out']);
    return { name: LLMS_FILE, answer: { file, pages, outcome: await updateTextFile(file, () => text) } };
  }
  return null;
}

async function printChanges(
  library: OpenLibrary,
  input: Readonly<Record<string, unknown>>,
  runtime: CliRuntime,
  form: ProgressForm,
): Promise<number> {
  const { followChanges } = await import('./follow-changes.ts');
  await followChanges(library, input, runtime, form);
  return EXIT.done;
}

/** A remote server has its own settings. */
async function suggestContact(runtime: CliRuntime): Promise<void> {
  const { server, fetch } = (await runtime.config()).config;
  const { contactHint } = await import('../../platform/check-machine.ts');
  const hint = server === undefined ? contactHint(fetch.userAgent) : null;
  if (hint !== null) runtime.err(`${hint}\n`);
}

async function withLibrary<T>(
  runtime: CliRuntime,
  effect: Effect,
  use: (library: OpenLibrary) => Promise<T>,
): Promise<T> {
  const library = await runtime.open(effect);
  try {
    return await use(library);
  } finally {
    await library.close();
  }
}

const RUN = { name: 'run', input: {} };
const REMOVAL = 'remove_source';
const CHANGES = 'list_changes';
const AGENTS_MD = 'agents_md';
const LLMS_TXT = 'llms_txt';
const LLMS_FILE = { name: 'llms_file', input: {} };
const AGENTS_FILE = { name: 'agents_file', input: {} };

/** Commands that start or resume a run. */
const WAITABLE: ReadonlySet<string> = new Set(['add', 'recrawl', 'resume']);

/** `export ./docs` adds or updates the folder first. */
function folderToExport(action: Action, input: Readonly<Record<string, unknown>>): string | null {
  const source = action.name === 'export_source' ? String(input['source']) : '';
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|[a-z]:[/\\])/i.test(source) ? source : null;
}

function addFolder(folder: string, runtime: CliRuntime, form: ProgressForm): Promise<string> {
  return withLibrary(runtime, 'write', async (library) => {
    const url = resolve(folder);
    const added = (await library.call('add_source', { url, version: '' })) as { source: string; run: number };
    const { state, reason } = await followRun(library, added.run, runtime, form);
    if (state === 'failed') throw pinakesError('files.unreadable', { path: folder, why: reason ?? state });
    return added.source;
  });
}

async function print(
  { name, input }: { readonly name: string; readonly input: ActionInput },
  result: unknown,
  flags: Readonly<Record<string, unknown>>,
  runtime: CliRuntime,
): Promise<number> {
  await printNotices(name, result, flags, runtime);
  runtime.out(
    flags['json'] === true ? `${JSON.stringify(result)}\n` : await renderLazily({ name, input }, result, runtime),
  );
  return isSuccess(name, result as { violations?: readonly unknown[]; state?: string }) ? EXIT.done : EXIT.failed;
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
  { name, input }: { readonly name: string; readonly input: ActionInput },
  result: unknown,
  { width, colors }: CliRuntime,
): Promise<string> {
  const { renderResult } = await import('./render/render-answer.ts');
  return renderResult(name, result, { width, colors }, input);
}

function isSuccess(
  action: string,
  { violations = [], state = '' }: { violations?: readonly unknown[]; state?: string },
): boolean {
  return violations.length === 0 && (action !== RUN.name || state === 'completed');
}

/** Errors in what the user typed, independent of the library. */
const USAGE_CODES: ReadonlySet<string> = new Set(['input.invalid', 'pattern.invalid', 'url.invalid']);

function reportFailure(error: unknown, runtime: CliRuntime, json: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const { code, message, nextStep, details } = error instanceof PinakesError ? error : unexpected(error, runtime);
  runtime.err(
    json
      ? `${JSON.stringify({ error: { code, message, nextStep, details } })}\n`
      : `${paint(`${message}.`, 'red', runtime.isTerminal && runtime.colors)}\n${nextStep === null ? '' : `${nextStep}.\n`}`,
  );
  return USAGE_CODES.has(code) || code.startsWith('config.') ? EXIT.usage : EXIT.failed;
}

/** A bug, or a failure that nobody thought of. Where it happened helps those who repair it, and nobody else. */
function unexpected(error: unknown, runtime: CliRuntime): PinakesError {
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall !== undefined && path !== undefined)
    return pinakesError('files.unusable', { path, why: systemReason(error) }, error);
  if (runtime.isDebugging())
    runtime.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return pinakesError('internal', { why: error instanceof Error ? error.message : String(error) }, error);
}
