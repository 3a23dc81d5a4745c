// One process at a time writes to a copy in files: two would overwrite what the other has written, and both save a position after it.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pinakesError } from '../core/model/errors.ts';
import { systemReason } from '../platform/data-directory.ts';
import { lockFile, type FileLock } from '../platform/file-lock.ts';

export interface SinkLock {
  /** Until it is released, or the process ends. Raises `sink.busy`. */
  hold(): void;
  release(): void;
}

export function createSinkLock(file: string, target: string): SinkLock {
  let held: FileLock | null = null;
  return {
    hold() {
      if (held !== null) return;
      const lock = tryLock(file, target);
      if (lock === 'held') throw pinakesError('sink.busy', { target });
      if (lock === 'damaged')
        throw pinakesError('sink.failed', { target, reason: `the file ${file} is damaged; delete it` });
      held = lock;
    },
    release() {
      held?.release();
      held = null;
    },
  };
}

function tryLock(file: string, target: string): ReturnType<typeof lockFile> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return lockFile(file);
  } catch (error) {
    throw pinakesError('sink.failed', { target, reason: systemReason(error) }, error);
  }
}
