// Where the local database lives when nobody says so: the place that each system keeps for the data of programs.

import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

export function defaultDataDir(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return win32.join(
      env['LOCALAPPDATA'] || win32.join(env['USERPROFILE'] || homedir(), 'AppData', 'Local'),
      'pinakes',
    );
  }
  const home = env['HOME'] || homedir();
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'pinakes');
  // The XDG rules say that a relative path is to be ignored.
  const data = env['XDG_DATA_HOME'];
  return posix.join(data?.startsWith('/') ? data : posix.join(home, '.local', 'share'), 'pinakes');
}
