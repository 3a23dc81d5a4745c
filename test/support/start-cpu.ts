// CPU time of short processes, started alternately, so that a busy machine slows them alike.

import { execFileSync } from 'node:child_process';

/** The lowest of `rounds`, in seconds, by the name of the command: what others use of a processor only adds to it. */
export function startCpuSeconds(
  commands: Readonly<Record<string, readonly string[]>>,
  rounds: number,
  settings: Readonly<Record<string, string>> = {},
): Record<string, number> {
  const lowest: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, args] of Object.entries(commands))
      lowest[name] = Math.min(lowest[name] ?? Number.POSITIVE_INFINITY, cpuSeconds(args, settings));
  return lowest;
}

/** The shell's `times` prints its own time, then that of its children, user and system. */
function cpuSeconds(args: readonly string[], settings: Readonly<Record<string, string>>): number {
  const script = '"$@" >/dev/null 2>&1 || exit 1; times';
  // Users have no such cache.
  const env = { ...process.env, ...settings, NODE_DISABLE_COMPILE_CACHE: '1' };
  const printed = execFileSync('bash', ['-c', script, 'bash', process.execPath, ...args], { encoding: 'utf8', env });
  const [, children = ''] = printed.trim().split('\n');
  return children.split(' ').reduce((sum, time) => sum + secondsOf(time), 0);
}

function secondsOf(time: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(time) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
