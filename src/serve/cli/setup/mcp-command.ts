// How an assistant starts this program: the way in which it was started now.

import type { Config } from '../../../platform/config/schema.ts';
import type { ServerCommand } from './setup-client.ts';

/** Settings that an assistant must know too, since it has an environment of its own. Never a secret. */
export function mcpCommand(
  { server }: Pick<Config, 'server'>,
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): ServerCommand {
  const more = server === undefined ? [] : ['--server', server];
  const said = ['PINAKES_DATA_DIR', 'PINAKES_CONFIG'].flatMap((name) => {
    const value = env[name] ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  // What npx brought may be gone tomorrow; what is installed stays where it is, and programs with a window have no PATH.
  const isPassing = /[/\\]_npx[/\\]/.test(script);
  return isPassing
    ? { command: 'npx', args: ['-y', 'pinakes', 'mcp', ...more], env: Object.fromEntries(said) }
    : { command: process.execPath, args: [script, 'mcp', ...more], env: Object.fromEntries(said) };
}
