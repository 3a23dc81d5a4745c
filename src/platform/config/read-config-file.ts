// Reads the config file from disk. A file that is there but cannot be read is a failure, not an absent file.

import { readFileSync } from 'node:fs';

export function readConfigFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
