// Builds the files of a database as a power cut would have left them: everything that was flushed, and a random part of
// the rest.

import { closeSync, cpSync, ftruncateSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { IoRecord } from './io-shim.ts';

const ACKNOWLEDGED = 'pinakes.db-acknowledged';

export interface Cut {
  /** A folder as it was before the first record. */
  readonly base: string;
  readonly to: string;
  readonly records: readonly IoRecord[];
  /** The power fails after this many records. */
  readonly after: number;
  /** The probability that an unflushed write survives: disks write in any order. */
  readonly keeps: number;
  readonly random: () => number;
}

/** Returns the number of the last event that was acknowledged before the cut. */
export function cutPower({ base, to, records, after, keeps, random }: Cut): number {
  cpSync(base, to, { recursive: true });
  for (const name of readdirSync(to)) if (name.endsWith('-shm')) rmSync(join(to, name));
  const seen = records.slice(0, after);
  let acknowledged = 0;
  for (const name of new Set(seen.map((record) => record.name))) {
    const ofFile = seen.filter((record) => record.name === name);
    if (name === ACKNOWLEDGED) {
      const last = ofFile.findLast((record) => record.kind === 'write');
      acknowledged = last === undefined ? 0 : Number(last.bytes.readBigUInt64LE());
    } else applyTo(join(to, name), ofFile, keeps, random);
  }
  return acknowledged;
}

function applyTo(file: string, records: readonly IoRecord[], keeps: number, random: () => number): void {
  const flushed = records.findLastIndex(({ kind }) => kind === 'flush');
  const fd = openSync(file, exists(file) ? 'r+' : 'w+');
  records.forEach((record, i) => {
    if (i > flushed && random() >= keeps) return;
    if (record.kind === 'write') writeSync(fd, record.bytes, 0, record.bytes.length, record.offset);
    if (record.kind === 'cut') ftruncateSync(fd, record.size);
  });
  closeSync(fd);
}

function exists(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch {
    return false;
  }
}
