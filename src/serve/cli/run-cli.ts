// The command line: one command per action binding, and the few that concern only this process.

import { Command, CommanderError } from 'commander';
import type { CommandSummary } from '../../actions/action-summary.ts';
import { ACTION_SUMMARIES } from '../../actions/summaries.table.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { systemReason } from '../../platform/data-directory.ts';
import type { Action } from '../../actions/action.ts';
import type { CompleteCommand } from './action-command.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { addDemoCommand } from './demo-command.ts';
import { addFetchCommand } from './fetch-command.ts';
import { addProcessCommands, COMPLETION, COMMANDS_WITH_SETTINGS } from './process-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';
import { addSinkCommands } from './sink-commands.ts';
import { describeProgram, EXIT, greeting, inGroup, settingsFromFlags, sortByGroup } from './program-help.ts';
import { paint } from './render/paint.ts';
import type { SettingsHelp } from './settings-help.ts';

export async function runCli(argv: readonly string[], runtime: CliRuntime): Promise<number> {
  let code: number = EXIT.done;
  if (argv.length === 0) {
    runtime.out(greeting(runtime));
    return code;
  }
  try {
    const program = createProgram(runtime, (ended) => (code = ended), await loadTyped(argv));
    // Program flags are also accepted after a command, where `--version 3.2` is the version of the documentation.
    if (!argv.some((word) => !word.startsWith('-')))
      program.version(runtime.version, '-V, --version', 'Print the version');
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return reportFailure(error, runtime, argv.includes('--json'));
  }
}

/** What a command needs beyond the list of commands. */
export interface ProgramParts {
  /** Actions whose commands get their flags; the others are only listed. */
  readonly actions: ReadonlyMap<string, Action>;
  readonly complete: CompleteCommand;
  readonly settingsHelp: SettingsHelp;
}

/** Only what the typed words may name: schemas, and what validates with them, cost more than the rest of the command. */
async function loadTyped(argv: readonly string[]): Promise<ProgramParts | null> {
  const typed = new Set(argv);
  const isTyped = ({ command }: CommandSummary): boolean => command.split(' ').every((word) => typed.has(word));
  const needed = ACTION_SUMMARIES.filter(({ commands }) => typed.has(COMPLETION) || commands.some(isTyped));
  if (needed.length === 0 && !COMMANDS_WITH_SETTINGS.some((name) => typed.has(name))) return null;
  const [{ completeCommand }, { settingsHelp }, ...actions] = await Promise.all([
    import('./action-command.ts'),
    import('./settings-help.ts'),
    ...needed.map(async ({ name, load }) => [name, await load()] as const),
  ]);
  return { actions: new Map(actions), complete: completeCommand, settingsHelp };
}

/** Every command, with the flags of those whose actions are given; the reference pages are generated from it too. */
export function createProgram(
  runtime: CliRuntime,
  setCode: (code: number) => void,
  parts: ProgramParts | null,
): Command {
  const program = describeProgram(new Command('pinakes'), runtime);
  program.hook('preAction', (_, command) => runtime.applyFlags(settingsFromFlags(program, command)));
  const settingsHelp = parts?.settingsHelp ?? (() => '');
  addProcessCommands(program, { runtime, setCode, settingsHelp });
  for (const summary of ACTION_SUMMARIES) {
    for (const listed of summary.commands) {
      const command = listCommand(listed);
      const action = parts?.actions.get(summary.name);
      if (action !== undefined) parts?.complete(command, { action, name: listed.command }, { runtime, setCode });
      parentCommand(program, listed).addCommand(command.copyInheritedSettings(program));
    }
  }
  addDemoCommand(program, runtime, setCode);
  addFetchCommand(program, { runtime, setCode, settingsHelp });
  addSinkCommands(program, runtime);
  addSigningKeyCommands(program, runtime);
  sortByGroup(program);
  return program;
}

/** With its arguments, which the list of commands shows. */
function listCommand({ command: words, group, summary, arguments: list }: CommandSummary): Command {
  const [first = '', second] = words.split(' ');
  const command = (second === undefined ? inGroup(new Command(first), group) : new Command(second)).summary(summary);
  for (const [usage, description] of list) command.argument(usage, description);
  return command;
}

/** `tokens create` is the command `create` of `tokens`, whose summary lists its commands. */
function parentCommand(program: Command, { command: words, group }: CommandSummary): Command {
  const [first = '', second] = words.split(' ');
  if (second === undefined) return program;
  const parent = program.commands.find((command) => command.name() === first) ?? inGroup(program.command(first), group);
  const names = [...parent.commands.map((command) => command.name()), second];
  const summary = `Commands: ${names.join(', ')}`;
  return parent.summary(summary).description(summary);
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

/** An unexpected error. The stack trace is for maintainers, so it is shown only at log level debug. */
function unexpected(error: unknown, runtime: CliRuntime): PinakesError {
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall !== undefined && path !== undefined)
    return pinakesError('files.unusable', { path, reason: systemReason(error) }, error);
  if (runtime.isDebugging())
    runtime.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return pinakesError('internal', { reason: error instanceof Error ? error.message : String(error) }, error);
}
