// Measures CPU time, so that a busy machine gives the same figure as an idle one.

import { readFileSync } from 'node:fs';

/** User and system time of this process so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The fastest of `times` runs, in seconds of user time. The first ones also warm the code up. */
export function fastestSeconds(times: number, run: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < times; round += 1) {
    const started = process.cpuUsage();
    run();
    fastest = Math.min(fastest, process.cpuUsage(started).user / 1e6);
  }
  return fastest;
}

const MS_PER_TICK = 10;

/** User and system time of all child processes that have exited. */
export function childrenCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}
