// Keeps some room free on the volume of the local database: work that begins below it could fill the volume and stop
// what is under way.

import { statfsSync } from 'node:fs';
import { pinakesError } from '../../core/model/errors.ts';
import type { Store } from '../port.ts';

/** Raises `database.full`. */
export type RoomCheck = () => void;

export function createRoomCheck(directory: string, minFreeBytes: number): RoomCheck {
  if (minFreeBytes === 0) return () => undefined;
  return () => {
    const { bavail, bsize } = statfsSync(directory);
    const free = bavail * bsize;
    if (free >= minFreeBytes) return;
    const why = `${mib(free)} MiB are free in ${directory}, and ${mib(minFreeBytes)} MiB are kept`;
    throw pinakesError('database.full', { why });
  };
}

/** What is under way may end; nothing new begins. */
export function withinRoom(store: Store, check: RoomCheck): Store {
  const { frontier, runs, sources } = store;
  return {
    ...store,
    sources: {
      ...sources,
      // Before the run of it, so that a refusal leaves no source without one.
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
