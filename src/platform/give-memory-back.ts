// Gives what this thread's heap does not need back to the system. V8 keeps the pages of a heap that shrank for its next growth:
// after one long page a thread would hold hundreds of megabytes for as long as it lives.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

let collect: Collect | null = null;

/** Takes a full collection: tens of milliseconds. */
export function giveMemoryBack(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  // Any other flavor keeps the pages.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
