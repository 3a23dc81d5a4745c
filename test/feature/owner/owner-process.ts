// A process that opens a data directory and keeps it until it is killed.

import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';

const { directory, command } = JSON.parse(process.argv[2] ?? '') as { directory: string; command: string };
openSqliteStore({
  directory,
  startDelayMs: 0,
  maxAttempts: 8,
  owner: { pid: process.pid, command, since: new Date().toISOString() },
});
// The lock must not depend on references to the store: there are none, and unreachable objects are collected.
setFlagsFromString('--expose-gc');
runInNewContext('gc')();
writeSync(1, 'open\n');
await wait(600_000);
