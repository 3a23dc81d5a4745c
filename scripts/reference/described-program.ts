// The command line program for documentation: it describes its commands, but cannot run them.

import type { Command } from 'commander';
import { actionList } from '../../src/actions/actions.ts';
import { completeCommand } from '../../src/serve/cli/action-command.ts';
import type { CliRuntime } from '../../src/serve/cli/cli-runtime.ts';
import { createProgram } from '../../src/serve/cli/run-cli.ts';
import { settingsHelp } from '../../src/serve/cli/settings-help.ts';

export interface DescribedCommand {
  /** As typed after `pinakes`. */
  readonly words: string;
  readonly command: Command;
}

const unavailable = (): never => {
  throw new Error('this program only describes its commands');
};

const RUNTIME: CliRuntime = {
  version: '',
  config: unavailable,
  applyFlags: () => undefined,
  open: unavailable,
  openSink: unavailable,
  runWorker: unavailable,
  serve: unavailable,
  mcp: unavailable,
  load: unavailable,
  doctor: unavailable,
  restore: unavailable,
  mcpCommand: unavailable,
  stopping: unavailable,
  out: () => undefined,
  err: () => undefined,
  showStatus: () => undefined,
  prompt: null,
  isDebugging: () => false,
  isTerminal: false,
  width: null,
  colors: false,
};

export function describedProgram(): Command {
  const actions = new Map(actionList.map((action) => [action.name, action]));
  return createProgram(RUNTIME, () => undefined, { actions, complete: completeCommand, settingsHelp }).version(
    RUNTIME.version,
    '-V, --version',
    'Print the version',
  );
}

/** Every command that can be run; a group only prefixes the names of its commands. */
export function describedCommands(program: Command, prefix = ''): DescribedCommand[] {
  return program.commands.flatMap((command) => {
    const words = `${prefix}${command.name()}`;
    return command.commands.length > 0 ? describedCommands(command, `${words} `) : [{ words, command }];
  });
}
