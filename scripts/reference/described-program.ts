// The command line as it describes itself, without anything behind it.

import type { Command } from 'commander';
import type { CliHost } from '../../src/serve/cli/cli-runtime.ts';
import { createProgram } from '../../src/serve/cli/run-cli.ts';

export interface DescribedCommand {
  /** As it is typed after `pinakes`. */
  readonly words: string;
  readonly command: Command;
}

const nobody = (): never => {
  throw new Error('a described program does nothing');
};

const HOST: CliHost = {
  version: '',
  config: nobody,
  given: () => undefined,
  open: nobody,
  work: nobody,
  serve: nobody,
  mcp: nobody,
  examine: nobody,
  restore: nobody,
  mcpCommand: nobody,
  stopping: nobody,
  out: () => undefined,
  err: () => undefined,
  isTerminal: false,
  colours: false,
};

export function describedProgram(): Command {
  return createProgram(HOST, () => undefined).version(HOST.version);
}

/** Every command that does something; groups are only words before it. */
export function describedCommands(program: Command, before = ''): DescribedCommand[] {
  return program.commands.flatMap((command) => {
    const words = `${before}${command.name()}`;
    return command.commands.length > 0 ? describedCommands(command, `${words} `) : [{ words, command }];
  });
}
