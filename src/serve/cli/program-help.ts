// The help of the program: summary, examples, exit codes, command groups, and the flags that every command has.

import { Command, type Argument, type HelpConfiguration, type Option } from 'commander';
import type { FlagValues } from '../../platform/config/load-config.ts';
import { describeSettings } from '../../platform/config/settings.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { COMMAND_GROUPS } from './command-groups.table.ts';
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
  ['pinakes add https://docs.example.dev --wait', 'index a site and watch progress'],
  ['pinakes search connection pool', 'find cited passages'],
  ['pinakes setup claude-code', 'connect an assistant'],
  ['pinakes recrawl docs.example.dev', 'update a source'],
  ['pinakes serve', 'serve HTTP, MCP and a dashboard'],
  ['pinakes doctor', 'check this machine'],
];

const EXIT_CODE_TEXTS: ReadonlyArray<readonly [code: number, description: string]> = [
  [EXIT.done, 'success'],
  [EXIT.failed, 'the command failed; stderr has the reason'],
  [EXIT.usage, 'usage error: a wrong flag, a missing argument or an unknown setting'],
  [130, 'interrupted'],
];

const ORDER = Object.values(COMMAND_GROUPS).flat();
const LAST = Object.keys(COMMAND_GROUPS).at(-1) ?? '';

/** Commands are grouped under headings, in the order of the life of a library. */
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
  groupItems(_, visible, groupOf) {
    const groups = new Map<string, typeof visible>();
    for (const item of visible.toSorted((a, b) => orderOf(a) - orderOf(b))) {
      const heading = item instanceof Command ? headingOf(item, [...groups.keys()].at(-1)) : groupOf(item);
      groups.set(heading, [...(groups.get(heading) ?? []), item]);
    }
    return groups;
  },
};

export function argumentText(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Options, and commands within a group such as `token create`, keep their order. */
function orderOf(item: Command | Option): number {
  if (!(item instanceof Command) || isNested(item)) return 0;
  const at = ORDER.indexOf(item.name());
  return at === -1 ? ORDER.length : at;
}

function headingOf(command: Command, previous: string = LAST): string {
  if (isNested(command)) return 'Commands:';
  return Object.entries(COMMAND_GROUPS).find(([, words]) => words.includes(command.name()))?.[0] ?? previous;
}

function isNested({ parent }: Command): boolean {
  return (parent?.parent ?? null) !== null;
}

export function describeProgram(program: Command, runtime: CliRuntime): Command {
  const bold = (text: string): string => paint(text, 'bold', runtime.colors);
  const width = Math.max(...EXAMPLES.map(([command]) => command.length));
  const examples = EXAMPLES.map(
    ([command, description]) => `  $ ${command.padEnd(width)}  ${paint(description, 'dim', runtime.colors)}`,
  );
  const codes = EXIT_CODE_TEXTS.map(([code, description]) => `  ${String(code).padEnd(4)}${description}`);
  return program
    .summary(SUMMARY)
    .description(`${SUMMARY}\n\n${bold('Getting started:')}\n${examples.join('\n')}`)
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

/** The settings that matter most to a command, with their variables and defaults, for its help. */
export function settingsHelp(paths: readonly string[]): string {
  const settings = describeSettings().filter(({ path }) => paths.includes(path));
  const names = settings.map(
    ({ env, defaultText }) =>
      `${env}${defaultText === null || defaultText === '' ? '' : ` (${plainText(defaultText)})`}`,
  );
  const width = Math.max(...names.map((name) => name.length));
  const lines = settings.map(({ description }, i) => `  ${(names[i] ?? '').padEnd(width)}  ${description}`);
  return `\nSettings, with their defaults; pinakes config print lists all:\n${lines.join('\n')}`;
}

function plainText(text: string): string {
  return text.replaceAll('`', '');
}

/** The flags of the program, and those of `serve` and `worker`, as settings. */
export function settingsFromFlags(program: Command, command: Command): FlagValues {
  const { server, inProcess } = program.opts<{ server?: string; inProcess?: boolean }>();
  const { host, port } = command.name() === 'serve' ? command.opts<{ host?: string; port?: string }>() : {};
  const { metricsPort } = command.name() === 'worker' ? command.opts<{ metricsPort?: string }>() : {};
  const given: ReadonlyArray<readonly [path: string, text: string | undefined, flag: string]> = [
    ['server', server, '--server'],
    ['owner.mode', inProcess === true ? 'in-process' : undefined, '--in-process'],
    ['serve.host', host, '--host'],
    ['serve.port', port, '--port'],
    ['serve.metricsPort', metricsPort, '--metrics-port'],
  ];
  return new Map(given.flatMap(([path, text, flag]) => (text === undefined ? [] : [[path, { text, flag }] as const])));
}
