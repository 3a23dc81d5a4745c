// What the program says of itself: what it is, how to begin, what its exit codes mean; and the flags that every command has.

import type { Command } from 'commander';
import type { CliHost } from './cli-runtime.ts';
import { EXIT } from './exit-codes.ts';
import { HELP_LAYOUT } from './help-layout.ts';
import { paint } from './render/paint.ts';

const SUMMARY = 'Turns documentation into a searchable, citable library for AI agents, programs and people';

const EXAMPLES: ReadonlyArray<readonly [command: string, says: string]> = [
  ['pinakes add https://docs.example.dev --wait', 'index a site, and watch'],
  ['pinakes search "connection pool"', 'find passages, with sources'],
  ['pinakes setup claude-code', 'let an assistant use them'],
  ['pinakes recrawl docs.example.dev', 'bring a source up to date'],
  ['pinakes serve', 'answer over HTTP and MCP'],
  ['pinakes doctor', 'find out what is missing'],
];

const CODES: ReadonlyArray<readonly [code: number, says: string]> = [
  [EXIT.done, 'done'],
  [EXIT.failed, 'understood, and did not succeed: the sentence on stderr says why'],
  [EXIT.usage, 'not understood: a wrong flag, a missing argument, an unknown setting'],
  [130, 'interrupted'],
];

export function describeProgram(program: Command, host: CliHost): Command {
  const bold = (text: string): string => paint(text, 'bold', host.colours);
  const width = Math.max(...EXAMPLES.map(([command]) => command.length));
  const examples = EXAMPLES.map(
    ([command, says]) => `  $ ${command.padEnd(width)}  ${paint(says, 'dim', host.colours)}`,
  );
  const codes = CODES.map(([code, says]) => `  ${String(code).padEnd(4)}${says}`);
  return program
    .summary(SUMMARY)
    .description(`${SUMMARY}\n\n${bold('Begin with:')}\n${examples.join('\n')}`)
    .helpOption('-h, --help', 'Show this help')
    .helpCommand('help [command]', 'Show the help of a command')
    .option(
      '--server <url>',
      'Ask a Pinakes server instead of a library on this machine; its token is in PINAKES_TOKEN',
    )
    .option('--in-process', 'Write to the local library in this process, and leave none behind')
    .exitOverride()
    .configureHelp({ ...HELP_LAYOUT, styleTitle: bold, styleCommandText: bold })
    .configureOutput({
      writeOut: host.out,
      writeErr: host.err,
      getOutHasColors: () => host.colours,
      getErrHasColors: () => host.colours,
    })
    .showHelpAfterError('(add --help for more)')
    .addHelpText(
      'after',
      `\n${bold('Exit codes:')}\n${codes.join('\n')}\n\nEvery command has --help with an example, and --json where it answers.`,
    );
}

/** What the flags of the program say, in the words of the settings. */
export function flaggedSettings(program: Command): Readonly<Record<string, string>> {
  const { server, inProcess } = program.opts<{ server?: string; inProcess?: boolean }>();
  return {
    ...(server === undefined ? {} : { PINAKES_SERVER: server }),
    ...(inProcess === true ? { PINAKES_OWNER_MODE: 'in-process' } : {}),
  };
}
