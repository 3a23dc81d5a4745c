// From settings to a library that a command can use. Only files in this folder pick adapters.

import type { Effect } from '../actions/action.ts';
import { callActions } from './actions.ts';
import { remoteLibrary, ownerLibrary } from './elsewhere.ts';
import { embeddingOf } from './embedding.ts';
import { openDoor, own } from './owner.ts';
import { type Surroundings, openStore, isLocal } from './store.ts';
import { work } from './work.ts';
import type { OpenLibrary } from '../serve/cli/cli-host.ts';

/** Everything a door needs. On a laptop one process writes; the others find it, or start it. */
export async function openLibrary(around: Surroundings, effect: Effect): Promise<OpenLibrary> {
  const remote = await remoteLibrary(around);
  if (remote !== null) return remote;
  if (isLocal(around) && effect !== 'read' && around.config.owner.mode === 'background')
    return ownerLibrary(around, true);
  const store = await openStore(around, effect);
  const callWith = callActions(around, store);
  const door = isLocal(around) && effect !== 'read' ? await openDoor(around, callWith, async () => false) : null;
  const stop = new AbortController();
  let working: Promise<void> | null = null;
  return {
    call: callWith(true),
    work: () => void (working ??= work(around, store, AbortSignal.any([stop.signal, around.signal]))),
    goesOn: false,
    async close() {
      stop.abort();
      await door?.close();
      await working;
      await embeddingOf(around.config)?.close();
      await store.close();
    },
  };
}

/** Works on every run until the signal, or until nothing was left to do for a while. */
export async function workUntil(until: 'stopped' | 'idle', around: Surroundings): Promise<void> {
  await own(around, until, async () => ({ close: async () => undefined }));
}
