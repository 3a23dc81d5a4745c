// The folders that each system reserves for the data and for the configuration of a program.

import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export function defaultDataDir(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return win32.join(env['LOCALAPPDATA'] || win32.join(windowsHome(env), 'AppData', 'Local'), 'pinakes');
  }
  if (platform === 'darwin') return posix.join(macSupport(env), 'pinakes');
  return posix.join(xdgFolder(env, 'XDG_DATA_HOME', ['.local', 'share']), 'pinakes');
}

/** The config file of the user, which may set everything. */
export function userConfigFile(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] || win32.join(windowsHome(env), 'AppData', 'Roaming'), 'pinakes', 'config.json');
  }
  if (platform === 'darwin') return posix.join(macSupport(env), 'pinakes', 'config.json');
  return posix.join(xdgFolder(env, 'XDG_CONFIG_HOME', ['.config']), 'pinakes', 'config.json');
}

function windowsHome(env: Environment): string {
  return env['USERPROFILE'] || homedir();
}

function macSupport(env: Environment): string {
  return posix.join(env['HOME'] || homedir(), 'Library', 'Application Support');
}

/** The XDG specification says to ignore a relative path. */
function xdgFolder(env: Environment, name: string, fallback: readonly string[]): string {
  const folder = env[name];
  return folder?.startsWith('/') ? folder : posix.join(env['HOME'] || homedir(), ...fallback);
}
