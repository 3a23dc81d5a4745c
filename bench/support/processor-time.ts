// Measures processor time, so that a busy machine gives the same figure as an idle one.

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
