// Keeps some space free on the volume of the database: new work could fill the volume and stop what is in progress.

import { statfsSync } from 'node:fs';
import { pinakesError } from '../../core/model/errors.ts';
import type { Store } from '../port.ts';

/** Raises `database.full`. */
export type DiskSpaceCheck = () => void;

export function createDiskSpaceCheck(directory: string, minFreeBytes: number): DiskSpaceCheck {
  if (minFreeBytes === 0) return () => undefined;
  return () => {
    const { bavail, bsize } = statfsSync(directory);
    const free = bavail * bsize;
    if (free >= minFreeBytes) return;
    const reason = `${mib(free)} MiB are free in ${directory}, and ${mib(minFreeBytes)} MiB are reserved`;
    throw pinakesError('database.full', { reason });
  };
}

/** Work in progress may finish; no new work begins. */
export function withDiskSpaceGuard(store: Store, check: DiskSpaceCheck): Store {
  const { frontier, runs, sources } = store;
  return {
    ...store,
    sources: {
      ...sources,
      async addWithRun(definition, versionLabel, due) {
        check();
        return sources.addWithRun(definition, versionLabel, due);
      },
      async add(definition, versionLabel, due) {
        check();
        return sources.add(definition, versionLabel, due);
      },
    },
    runs: {
      ...runs,
      async start(version, mode, settings) {
        check();
        return runs.start(version, mode, settings);
      },
      async startDue(version, nextAfterMs) {
        check();
        return runs.startDue(version, nextAfterMs);
      },
    },
    frontier: {
      ...frontier,
      async claim(request) {
        check();
        return frontier.claim(request);
      },
    },
  };
}

function mib(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}
