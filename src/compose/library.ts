// From settings to a library that a command can use. Only files in this folder pick adapters.
//
// Each way is loaded when it is gone: a command that asks another process needs nothing of what that one does.

import type { Effect } from '../actions/action.ts';
import { remoteLibrary, ownerLibrary } from './elsewhere.ts';
import { type Surroundings, isLocal } from './store.ts';
import type { OpenLibrary } from '../serve/cli/cli-runtime.ts';

/** Everything a door needs. On a laptop one process writes; the others find it, or start it. */
export async function openLibrary(around: Surroundings, effect: Effect): Promise<OpenLibrary> {
  const remote = await remoteLibrary(around);
  if (remote !== null) return remote;
  if (isLocal(around) && effect !== 'read' && around.config.owner.mode === 'background')
    return ownerLibrary(around, true);
  const { libraryHere } = await import('./library-here.ts');
  return libraryHere(around, effect);
}

/** Works on every run until the signal, or until nothing was left to do for a while. */
export async function workUntil(until: 'stopped' | 'idle', around: Surroundings): Promise<void> {
  const { own } = await import('./owner.ts');
  await own(around, until, async () => ({ close: async () => undefined }));
}
