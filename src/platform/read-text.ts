// Reads a file of text that a person named, no further than a limit.

import { open } from 'node:fs/promises';
import { pinakesError } from '../core/model/errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Raises `local.unreadable`. */
export async function readText(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      if (size > MAX_BYTES) throw new Error('it is too large');
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw pinakesError('local.unreadable', { path, why: code === 'ENOENT' ? 'there is no such file' : message }, error);
  }
}
