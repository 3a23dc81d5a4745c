// Simulates seeds and prints one JSON line for each; a separate process, because the clock is replaced before anything is loaded:
// node --import ./test/robustness/simulation/install.ts test/robustness/simulation/run-seeds.ts FIRST COUNT all|until-found|upgrades

import type { SimulationResult } from './simulate.ts';

const [first = '1', count = '1', mode = 'all'] = process.argv.slice(2);
const simulated: (seed: number) => Promise<SimulationResult> =
  mode === 'upgrades'
    ? (await import('./simulate-upgrade.ts')).simulateUpgrade
    : (await import('./simulate.ts')).simulate;
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const before = process.cpuUsage();
  const { lines, ...result } = await simulated(seed);
  const { user, system } = process.cpuUsage(before);
  const isFound = result.problems.length > 0;
  const shown = isFound ? { ...result, lines } : result;
  process.stdout.write(`${JSON.stringify({ ...shown, cpuMs: Math.round((user + system) / 1000) })}\n`);
  if (isFound && mode === 'until-found') break;
}
