// docs/reference/cli.md: every command with its arguments and flags, from the program itself. Flags that many commands share are
// listed once.

import type { Command, Option } from 'commander';
import { argumentText } from '../../src/serve/cli/program-help.ts';
import { describedCommands, describedProgram, type DescribedCommand } from './described-program.ts';
import { inCode, page, table } from './markdown.ts';

export function cliPage(): string {
  const program = describedProgram();
  const commands = describedCommands(program);
  const crawlFlags = crawlFlagsOf(commands);
  return page(
    'Command line',
    `The exit code is 0 on success, 1 on failure, 2 on a usage error, and 130 when interrupted. Results go to stdout, progress
and errors to stderr.`,
    table(
      ['command', 'description'],
      commands.map(({ words, command }) => [
        `[${inCode(`pinakes ${words}`)}](#pinakes-${words.replaceAll(' ', '-')})`,
        command.summary(),
      ]),
    ),
    `## Global flags\n\nThey come after the command; the first three may come before it too.\n\n${table(['flag', 'description'], globalFlags(program))}`,
    `## Crawl flags\n\n${crawlCommands(commands, crawlFlags)} take these flags besides their own.\n\n${table(['flag', 'description'], [...crawlFlags.values()])}`,
    ...commands.map((command) => commandPart(command, crawlFlags)),
  );
}

const JSON_FLAG = '--json';

function globalFlags(program: Command): string[][] {
  return [
    ...program.options.map(optionRow),
    [inCode(JSON_FLAG), 'Print the result, or the error, as JSON'],
    [inCode('-h, --help'), 'Show how a command is used, with an example'],
  ];
}

/** Rows of `add` that at least so many other commands have, word for word. */
const MIN_SHARING = 3;

function crawlFlagsOf(commands: readonly DescribedCommand[]): ReadonlyMap<string, string[]> {
  const rowsOf = ({ command }: DescribedCommand): string[][] => command.options.map(optionRow);
  const [added, others] = [
    commands.filter(({ words }) => words === 'add'),
    commands.filter(({ words }) => words !== 'add'),
  ];
  const shared = added.flatMap(rowsOf).filter((row) => {
    const sharing = others.filter((other) => rowsOf(other).some((one) => one.join() === row.join()));
    return row[0] !== inCode(JSON_FLAG) && sharing.length >= MIN_SHARING;
  });
  return new Map(shared.map((row) => [row.join(), row]));
}

/** `add`, `plan` and `edit`, as links. */
function crawlCommands(commands: readonly DescribedCommand[], crawlFlags: ReadonlyMap<string, string[]>): string {
  const links = commands
    .filter(({ command }) => sharesCrawlFlags(command, crawlFlags))
    .map(({ words }) => `[${inCode(words)}](#pinakes-${words.replaceAll(' ', '-')})`);
  return `${links.slice(0, -1).join(', ')} and ${links.at(-1)}`;
}

function sharesCrawlFlags(command: Command, crawlFlags: ReadonlyMap<string, string[]>): boolean {
  return command.options.some((option) => crawlFlags.has(optionRow(option).join()));
}

function commandPart({ words, command }: DescribedCommand, crawlFlags: ReadonlyMap<string, string[]>): string {
  const usage = ['pinakes', words, ...command.registeredArguments.map(argumentText)];
  const parts = [`## pinakes ${words}`, fenced(`${usage.join(' ')}${command.options.length > 0 ? ' [options]' : ''}`)];
  parts.push(described(command.description() || command.summary()));
  const rows = [
    ...command.registeredArguments.map((one) => [
      inCode(argumentText(one)),
      one.description + choicesText(one.argChoices),
    ]),
    ...command.options
      .filter(({ long }) => long !== JSON_FLAG)
      .map(optionRow)
      .filter((row) => !crawlFlags.has(row.join())),
  ];
  if (rows.length > 0) parts.push(table(['argument or flag', 'description'], rows));
  if (sharesCrawlFlags(command, crawlFlags)) parts.push('It takes the [crawl flags](#crawl-flags) too.');
  return parts.join('\n\n');
}

/** A description ends with examples, which the program indents. */
function described(text: string): string {
  const [about = '', examples] = text.split(/\n\nExamples?:\n/);
  const sentence = /[.:}]$/.test(about.trimEnd()) ? about : `${about}.`;
  return examples === undefined ? sentence : `${sentence}\n\n${fenced(examples.replaceAll(/^ {2}\$ /gm, ''))}`;
}

function fenced(text: string): string {
  return ['```sh', text, '```'].join('\n');
}

function optionRow(option: Option): string[] {
  return [inCode(option.flags), option.description + choicesText(option.argChoices) + defaultText(option)];
}

function choicesText(choices: readonly string[] | undefined): string {
  return choices === undefined ? '' : ` (${choices.map(inCode).join(', ')})`;
}

function defaultText({ defaultValueDescription: value }: Option): string {
  return value === undefined ? '' : ` (default ${inCode(value)})`;
}
