// The help of the program: summary, examples, exit codes, command groups, and the flags that every command has.

import { Command, type Argument, type HelpConfiguration } from 'commander';
import type { CommandGroup } from '../../actions/action.ts';
import type { FlagValues } from '../../platform/config/load-config.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { paint } from './render/paint.ts';

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** The command was valid but failed: stderr has the reason. */
  failed: 1,
  /** The command line or the configuration was invalid. */
  usage: 2,
} as const;

const SUMMARY = 'Turns documentation into a searchable, citable library for AI agents, programs and people';

const EXAMPLES: ReadonlyArray<readonly [command: string, description: string]> = [
  ['pinakes demo', 'try it on its own guides'],
  ['pinakes add https://docs.example.dev --wait', 'index a site and watch progress'],
  ['pinakes search connection pool', 'find cited passages'],
  ['pinakes setup claude-code', 'connect an assistant'],
  ['pinakes recrawl docs.example.dev', 'crawl a source again'],
  ['pinakes serve', 'serve HTTP, MCP and a dashboard'],
  ['pinakes doctor', 'check this machine'],
];

const EXIT_CODE_TEXTS: ReadonlyArray<readonly [code: number, description: string]> = [
  [EXIT.done, 'success'],
  [EXIT.failed, 'the command failed; stderr has the reason'],
  [EXIT.usage, 'usage error: a wrong flag, a missing argument or an unknown setting'],
  [130, 'interrupted'],
];

/** In the order of the life of a library. */
const HEADINGS: Readonly<Record<CommandGroup, string>> = {
  index: 'Index:',
  search: 'Search:',
  inspect: 'Inspect:',
  runs: 'Monitor runs:',
  serve: 'Serve:',
  maintain: 'Maintain:',
};

/** Puts a command of the first level under a heading of the help. */
export function inGroup(command: Command, group: CommandGroup): Command {
  return command.helpGroup(HEADINGS[group]);
}

/** Help, completion and reference list the commands by their groups, and within a group as they were added. */
export function sortByGroup(program: Command): void {
  const order = Object.values(HEADINGS);
  (program.commands as Command[]).sort((a, b) => order.indexOf(a.helpGroup()) - order.indexOf(b.helpGroup()));
}

const HELP_LAYOUT: HelpConfiguration = {
  // Options are mentioned once, above; here they would hide the commands.
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
  optionDescription({ description, mandatory, argChoices, defaultValueDescription: initial }) {
    const about = [
      ...(mandatory ? ['required'] : []),
      ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
      ...(initial === undefined ? [] : [`default: ${initial}`]),
    ];
    return about.length === 0 ? description : `${description} (${about.join('; ')})`;
  },
  // `help` has no group, and comes last.
  groupItems(_, visible, groupOf) {
    const groups = new Map<string, typeof visible>();
    for (const item of visible) {
      const isHelp = item instanceof Command && item.name() === 'help';
      const heading = (isHelp ? [...groups.keys()].at(-1) : undefined) ?? groupOf(item);
      groups.set(heading, [...(groups.get(heading) ?? []), item]);
    }
    return groups;
  },
};

export function argumentText(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** What `pinakes` alone prints. */
export function greeting(runtime: CliRuntime): string {
  return `${SUMMARY}.\n\n${gettingStarted(runtime)}\n\nList all commands with: pinakes --help\n`;
}

function gettingStarted({ colors }: CliRuntime): string {
  const width = Math.max(...EXAMPLES.map(([command]) => command.length));
  const examples = EXAMPLES.map(
    ([command, description]) => `  $ ${command.padEnd(width)}  ${paint(description, 'dim', colors)}`,
  );
  return `${paint('Getting started:', 'bold', colors)}\n${examples.join('\n')}`;
}

export function describeProgram(program: Command, runtime: CliRuntime): Command {
  const bold = (text: string): string => paint(text, 'bold', runtime.colors);
  const codes = EXIT_CODE_TEXTS.map(([code, description]) => `  ${String(code).padEnd(4)}${description}`);
  return program
    .summary(SUMMARY)
    .description(`${SUMMARY}\n\n${gettingStarted(runtime)}`)
    .helpOption('-h, --help', 'Show this help')
    .helpCommand('help [command]', 'Show help for a command')
    .option(
      '--server <url>',
      'Use a remote Pinakes server instead of a local library; its token is read from PINAKES_TOKEN',
    )
    .option('--in-process', 'Write from this process instead of starting a background one')
    .exitOverride()
    .configureHelp({ ...HELP_LAYOUT, styleTitle: bold, styleCommandText: bold })
    .configureOutput({
      writeOut: runtime.out,
      writeErr: runtime.err,
      getOutHasColors: () => runtime.colors,
      getErrHasColors: () => runtime.colors,
    })
    .showHelpAfterError('(run with --help for usage)')
    .addHelpText(
      'after',
      `\n${bold('Exit codes:')}\n${codes.join('\n')}\n\nEvery command has --help with an example, and --json for machine-readable output.`,
    );
}

/** The flags of the program, and those of `serve` and `worker`, as settings. */
export function settingsFromFlags(program: Command, command: Command): FlagValues {
  const { server, inProcess } = program.opts<{ server?: string; inProcess?: boolean }>();
  const { host, port } = command.name() === 'serve' ? command.opts<{ host?: string; port?: string }>() : {};
  const { metricsPort } = command.name() === 'worker' ? command.opts<{ metricsPort?: string }>() : {};
  const provided: ReadonlyArray<readonly [path: string, text: string | undefined, flag: string]> = [
    ['server', server, '--server'],
    ['owner.mode', inProcess === true ? 'in-process' : undefined, '--in-process'],
    ['serve.host', host, '--host'],
    ['serve.port', port, '--port'],
    ['worker.metricsPort', metricsPort, '--metrics-port'],
  ];
  return new Map(
    provided.flatMap(([path, text, flag]) => (text === undefined ? [] : [[path, { text, flag }] as const])),
  );
}
