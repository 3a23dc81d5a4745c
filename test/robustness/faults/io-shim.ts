// Compiles the shim around the C library, and reads its records.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const SOURCE = fileURLToPath(new URL('./io-shim.c', import.meta.url));

export type IoRecord =
  | { readonly kind: 'write'; readonly name: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'flush'; readonly name: string }
  | { readonly kind: 'cut'; readonly name: string; readonly size: number };

let library: string | undefined;
let refusal: string | null | undefined;

/** Why the shim cannot be used here; null if it can. */
export function cannotShim(): string | null {
  if (refusal === undefined) {
    try {
      const to = join(temporaryDirectory(), 'io-shim.so');
      execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', to, SOURCE, '-ldl'], { stdio: 'pipe' });
      library = to;
      refusal = null;
    } catch (error) {
      refusal = `the shim cannot be compiled here: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    }
  }
  return refusal;
}

/** The environment of a process in which files named like `path` are recorded. */
export function shimmed(path: string, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (cannotShim() !== null) throw new Error('the shim is missing');
  return { LD_PRELOAD: library ?? '', FAULT_IO_PATH: path, ...more };
}

export function readRecords(file: string): readonly IoRecord[] {
  const data = readFileSync(file);
  const records: IoRecord[] = [];
  for (let at = 0; at < data.length;) {
    const kind = String.fromCharCode(data[at]!);
    const nameEnd = at + 2 + data[at + 1]!;
    const name = data.toString('utf8', at + 2, nameEnd);
    const offset = Number(data.readBigUInt64LE(nameEnd));
    const size = Number(data.readBigUInt64LE(nameEnd + 8));
    at = nameEnd + 16;
    if (kind === 'w') {
      records.push({ kind: 'write', name, offset, bytes: data.subarray(at, at + size) });
      at += size;
    } else records.push(kind === 's' ? { kind: 'flush', name } : { kind: 'cut', name, size });
  }
  return records;
}
