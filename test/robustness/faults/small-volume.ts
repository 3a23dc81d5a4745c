// A volume of a few megabytes in memory, to be filled or mounted read-only. Needs root.

import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

export interface SmallVolume {
  readonly path: string;
  freeBytes(): number;
  /** Leaves at most this many bytes free. */
  fill(leaveBytes?: number): void;
  empty(): void;
  remount(how: 'ro' | 'rw'): void;
  unmount(): void;
}

/** `owner` may be another user of the system. */
export function mountSmallVolume(megabytes: number, owner?: string): SmallVolume {
  const path = temporaryDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (owner !== undefined) execFileSync('chown', [owner, path]);
  const ballast = join(path, 'ballast');
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    freeBytes,
    fill(leaveBytes = 0) {
      const bytes = Math.max(0, freeBytes() - leaveBytes);
      try {
        writeFileSync(ballast, Buffer.alloc(bytes, 1), { flag: 'a' });
      } catch (error) {
        // Another process took the last bytes.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    remount: (how) => void execFileSync('mount', ['-o', `remount,${how}`, path], { stdio: 'pipe' }),
    unmount() {
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true });
    },
  };
}

let refusal: string | null | undefined;

/** Why no volume can be mounted here; null if it can. */
export function cannotMount(): string | null {
  if (refusal === undefined) {
    try {
      mountSmallVolume(1).unmount();
      refusal = null;
    } catch (error) {
      refusal = `no volume can be mounted here: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    }
  }
  return refusal;
}
