// What help shows of an action, and how the action itself is loaded: the rows of `summaries.table.ts`.

import type { Action, CommandGroup, Effect } from './action.ts';

export interface ActionSummary {
  readonly name: string;
  readonly effect: Effect;
  /** Agents have it as a tool by default. */
  readonly isDefaultTool: boolean;
  readonly commands: readonly CommandSummary[];
  readonly load: () => Promise<Action>;
}

export interface CommandSummary {
  /** The name of the command: one word, or the name of a parent command and a word. */
  readonly command: string;
  readonly group: CommandGroup;
  readonly summary: string;
  readonly arguments: ReadonlyArray<readonly [usage: string, description: string]>;
}

type Load = ActionSummary['load'];

export function action(name: string, effect: Effect, load: Load, commands: ActionSummary['commands']): ActionSummary {
  return { name, effect, isDefaultTool: false, commands, load };
}

/** An action that agents have as a tool by default. */
export function tool(name: string, effect: Effect, load: Load, commands: ActionSummary['commands']): ActionSummary {
  return { name, effect, isDefaultTool: true, commands, load };
}

/** `described` has the arguments by their usage, in order. */
export function command(
  words: string,
  group: CommandGroup,
  summary: string,
  described: Readonly<Record<string, string>> = {},
): CommandSummary {
  return { command: words, group, summary, arguments: Object.entries(described) };
}
