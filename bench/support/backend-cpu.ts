// CPU that PostgreSQL's processes used, read from /proc: the server runs on the machine that measures.

import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

/** User and system time of one process and, where it is the server's first process, of all its children. */
export function serverCpuMs(postmasterPid: number): number {
  return processes()
    .filter(({ pid, parent }) => pid === postmasterPid || parent === postmasterPid)
    .reduce((sum, { cpuMs }) => sum + cpuMs, deadChildrenMs(postmasterPid));
}

/** Of each of these processes, to the nanosecond: time on a processor since it began. One that has ended is left out. */
export function processesCpuMs(pids: readonly number[]): ReadonlyMap<number, number> {
  return new Map(
    pids.flatMap((pid): Array<[number, number]> => {
      try {
        return [[pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6]];
      } catch {
        return [];
      }
    }),
  );
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statFields(Number(name));
      return fields === null
        ? []
        : [
            {
              pid: Number(name),
              parent: Number(fields[1]),
              cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
            },
          ];
    });
}

/** Sessions that ended in between are counted by the kernel with their parent. */
function deadChildrenMs(pid: number): number {
  const fields = statFields(pid);
  return fields === null ? 0 : (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Fields of /proc/pid/stat after the command's name, so that `state` is the first. */
function statFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
