// The library in the process of the command itself: to read, or where no other process is to work.

import type { Effect } from '../actions/action.ts';
import { callActions } from './in-process-library.ts';
import { embeddingOf } from './embedding.ts';
import { type Surroundings, openStore, isLocal } from './store.ts';
import type { OpenLibrary } from '../serve/cli/cli-runtime.ts';

export async function libraryHere(around: Surroundings, effect: Effect): Promise<OpenLibrary> {
  const store = await openStore(around, effect);
  const callWith = callActions(around, store);
  const isOwner = isLocal(around) && effect !== 'read';
  const door = isOwner ? await (await import('./owner.ts')).openDoor(around, callWith, async () => false) : null;
  const stop = new AbortController();
  const workHere = async (): Promise<void> => {
    const { work } = await import('./run-worker.ts');
    await work(around, store, AbortSignal.any([stop.signal, around.signal]));
  };
  let working: Promise<void> | null = null;
  return {
    call: callWith(true),
    work: () => void (working ??= workHere()),
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
