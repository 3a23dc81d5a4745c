// After each commit of the crawl thread, once it has returned, writes the number of the last event to the file
// FAULT_ACKNOWLEDGED: what a client could have been told. The shim around the C library records the file, so its lines
// are ordered between the writes.

import { openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const file = isMainThread ? null : openSync(process.env['FAULT_ACKNOWLEDGED'] ?? '/dev/null', 'w');
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const exec = DatabaseSync.prototype.exec;
let at = 0;

DatabaseSync.prototype.exec = function (sql: string): void {
  exec.call(this, sql);
  if (sql !== 'commit' || file === null) return;
  const [row] = this.prepare('select last from event_head').all() as Array<{ last: number }>;
  const line = Buffer.alloc(8);
  line.writeBigUInt64LE(BigInt(row?.last ?? 0));
  at += writeSync(file, line, 0, 8, at);
};
