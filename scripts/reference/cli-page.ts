// docs/reference/cli.md: every command with its arguments and flags, from the program itself.

import type { Option } from 'commander';
import { argumentText } from '../../src/serve/cli/program-help.ts';
import { describedCommands, describedProgram, type DescribedCommand } from './described-program.ts';
import { inCode, page, table } from './markdown.ts';

export function cliPage(): string {
  const program = describedProgram();
  const commands = describedCommands(program);
  return page(
    'Command line',
    `Every command has \`--help\` with an example, and \`--json\` if it prints a result. The exit code is 0 on success, 1 on
failure, 2 on a usage error, and 130 when interrupted. Results go to stdout, progress and errors to stderr.`,
    table(
      ['command', 'description'],
      commands.map(({ words, command }) => [
        `[${inCode(`pinakes ${words}`)}](#pinakes-${words.replaceAll(' ', '-')})`,
        command.summary(),
      ]),
    ),
    `## Global flags\n\nThey may come before or after the command.\n\n${table(['flag', 'description'], program.options.map(optionRow))}`,
    ...commands.map(commandPart),
  );
}

function commandPart({ words, command }: DescribedCommand): string {
  const usage = ['pinakes', words, ...command.registeredArguments.map(argumentText)];
  const parts = [`## pinakes ${words}`, fenced(`${usage.join(' ')}${command.options.length > 0 ? ' [options]' : ''}`)];
  parts.push(described(command.description() || command.summary()));
  const rows = [
    ...command.registeredArguments.map((one) => [
      inCode(argumentText(one)),
      one.description + choicesText(one.argChoices),
    ]),
    ...command.options.map(optionRow),
  ];
  if (rows.length > 0) parts.push(table(['argument or flag', 'description'], rows));
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
