// What the code calls things, for tests that hold pages and packaging to it.

import { describedCommands, describedProgram } from '../../scripts/reference/described-program.ts';
import { describeSettings } from '../../src/platform/config/settings.ts';

/** Read by the program, and no settings: where the config file is, and the token of a client. */
const OTHERS = ['PINAKES_CONFIG', 'PINAKES_TOKEN'];

export const knownVariables: ReadonlySet<string> = new Set([...describeSettings().map(({ env }) => env), ...OTHERS]);

export const commands = describedCommands(describedProgram());

export function isCommand(words: readonly string[]): boolean {
  return commands.some(({ words: known }) => `${words.join(' ')} `.startsWith(`${known} `));
}
