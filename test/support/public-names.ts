// The public names in the code, for tests that compare documentation and packaging with it.

import { describedCommands, describedProgram } from '../../scripts/reference/described-program.ts';
import { describeSettings } from '../../src/platform/config/settings.ts';

/** Variables that are not settings: the path of the config file, and the token of a client. */
const OTHERS = ['PINAKES_CONFIG', 'PINAKES_TOKEN'];

export const configVariables: ReadonlySet<string> = new Set([...describeSettings().map(({ env }) => env), ...OTHERS]);

export const commands = describedCommands(describedProgram());

export function isCommand(words: readonly string[]): boolean {
  return commands.some(({ words: known }) => `${words.join(' ')} `.startsWith(`${known} `));
}
