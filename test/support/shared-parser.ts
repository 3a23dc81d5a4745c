// One parser thread for all runs of a test file: starting one takes longer than most of them.

import type { Parser } from '../../src/parse/port.ts';
import { createThreadParser } from '../../src/parse/thread-parser.ts';

let shared: Parser | null = null;

/** Its thread ends with the process. */
export function sharedParser(): Parser {
  shared ??= createThreadParser({ threads: 1, idleMs: 60_000 });
  return { ...shared, close: async () => undefined };
}
