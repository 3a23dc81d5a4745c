// Times as an undisturbed machine would have them. A shared machine may take three times as long for the same work, in
// CPU time too, so a known piece of work is measured alongside it and the result divided by how much slower that was.

/** What the known work takes at best on the machine that the limits of the tests were set on. */
const KNOWN_WORK_MS = 19;

interface Times {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** CPU time of `work`, less what the machine is slower than usual right before or after it. */
export function workMs(work: () => unknown): number {
  const before = timesOf(knownWork).cpuMs;
  const { cpuMs } = timesOf(work);
  return cpuMs / slowness(Math.max(before, timesOf(knownWork).cpuMs));
}

/** How many times slower than usual CPU time passes now; at least 1. */
export function cpuSlowness(): number {
  return slowness(timesOf(knownWork).cpuMs);
}

/** How many times slower than usual this machine is now, with everything else that runs on it; at least 1. */
export function wallSlowness(): number {
  return slowness(Math.max(...[1, 2, 3].map(() => timesOf(knownWork).wallMs)));
}

function slowness(knownWorkMs: number): number {
  return Math.max(1, knownWorkMs / KNOWN_WORK_MS);
}

function timesOf(work: () => unknown): Times {
  const startedAt = performance.now();
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

/** Text, a map, regular expressions and garbage, as in most of the program. */
function knownWork(): number {
  const lines = Array.from({ length: 8000 }, (_, nth) => `${nth % 97} word ${(nth * 7919) % 10_007} of line ${nth}`);
  const counts = new Map<string, number>();
  for (const [word] of lines.join('\n').matchAll(/[a-z0-9]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).length;
}

// Compiled before it is measured.
for (let nth = 0; nth < 3; nth += 1) knownWork();
