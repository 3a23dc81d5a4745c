// How help is laid out: commands stand under headings that say what they are for, in the order of a library's life.

import { Command, type Argument, type HelpConfiguration, type Option } from 'commander';
import { COMMAND_GROUPS } from './command-groups.table.ts';

const ORDER = Object.values(COMMAND_GROUPS).flat();
const LAST = Object.keys(COMMAND_GROUPS).at(-1) ?? '';

export const HELP_LAYOUT: HelpConfiguration = {
  // That there are options is said once, above; here they would hide the words.
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
  optionDescription({ description, mandatory, argChoices, defaultValueDescription: initial }) {
    const about = [
      ...(mandatory ? ['needed'] : []),
      ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
      ...(initial === undefined ? [] : [`default: ${initial}`]),
    ];
    return about.length === 0 ? description : `${description} (${about.join('; ')})`;
  },
  groupItems(_, visible, groupOf) {
    const groups = new Map<string, typeof visible>();
    for (const item of visible.toSorted((a, b) => placeOf(a) - placeOf(b))) {
      const heading = item instanceof Command ? headingOf(item, [...groups.keys()].at(-1)) : groupOf(item);
      groups.set(heading, [...(groups.get(heading) ?? []), item]);
    }
    return groups;
  },
};

function argumentText(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** Options, and commands within a group such as `token create`, stay as they are. */
function placeOf(item: Command | Option): number {
  if (!(item instanceof Command) || isNested(item)) return 0;
  const at = ORDER.indexOf(item.name());
  return at === -1 ? ORDER.length : at;
}

function headingOf(command: Command, before: string = LAST): string {
  if (isNested(command)) return 'Commands:';
  return Object.entries(COMMAND_GROUPS).find(([, words]) => words.includes(command.name()))?.[0] ?? before;
}

function isNested({ parent }: Command): boolean {
  return (parent?.parent ?? null) !== null;
}
