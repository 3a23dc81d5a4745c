// What all processes of a soak test have together at one moment: those of the program, what they started, and what outlived them.

import { globSync, readdirSync, readFileSync } from 'node:fs';

export interface ProcessSample {
  readonly residentMb: number;
  readonly descriptors: number;
  readonly processes: number;
  /** Files and folders; what is inside of folders does not count. */
  readonly temporaryFiles: number;
}

const MB = 1_048_576;
const PAGE_BYTES = 4096;

/** Counts processes whose folder for temporary files is this one, with their descendants. */
export function measureProcesses(temporary: string): ProcessSample {
  const all = withDescendants(startedWith(`TMPDIR=${temporary}`));
  return {
    residentMb: Math.round(sum(all, residentBytes) / MB),
    descriptors: sum(all, (pid) => readdirSync(`/proc/${pid}/fd`).length),
    processes: all.length,
    temporaryFiles: readdirSync(temporary).length,
  };
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
}

/** A process may end while it is looked at. */
function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => {
    try {
      return total + of(pid);
    } catch {
      return total;
    }
  }, 0);
}

function withDescendants(pids: readonly number[]): readonly number[] {
  const parents = new Map<number, number>();
  for (const file of globSync('/proc/[0-9]*/stat')) {
    try {
      const stat = readFileSync(file, 'utf8');
      parents.set(Number.parseInt(stat), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended.
    }
  }
  const found = new Set(pids);
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.add(child);
  return [...found];
}

/** A process that was killed leaves what it started; that has the same environment. */
function startedWith(variable: string): readonly number[] {
  return globSync('/proc/[0-9]*/environ').flatMap((file) => {
    try {
      return readFileSync(file, 'utf8').split('\0').includes(variable) ? [Number(file.split('/')[2])] : [];
    } catch {
      return [];
    }
  });
}
