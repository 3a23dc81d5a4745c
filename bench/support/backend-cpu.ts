// Reads the CPU time of PostgreSQL's processes from /proc: the server must run on this machine.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const TICK_MS = 10;

export async function readPostmasterPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ directory: string }>(`select current_setting('data_directory') as directory`);
  await client.end();
  return Number(readFileSync(join(rows[0]?.directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** User and system time of one process and, if it is the postmaster, of all its children. */
export function serverCpuMs(postmasterPid: number): number {
  return processes()
    .filter(({ pid, parent }) => pid === postmasterPid || parent === postmasterPid)
    .reduce((sum, { cpuMs }) => sum + cpuMs, deadChildrenMs(postmasterPid));
}

/** CPU time of each process since it started, in nanosecond resolution. A process that has exited is omitted. */
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

/** The kernel counts sessions that ended in the meantime with their parent. */
function deadChildrenMs(pid: number): number {
  const fields = statFields(pid);
  return fields === null ? 0 : (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Fields of /proc/pid/stat after the command's name, so that `state` is the first. */
export function statFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
