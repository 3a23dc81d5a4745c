// Frees what has just died, and the buffers outside of the heap that it holds. The engine waits until its young objects
// fill their space; where each holds a large buffer, much memory waits with them.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' }) => void;

let collect: Collect | null = null;

export function collectYoung(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
  }
  collect({ type: 'minor' });
}
