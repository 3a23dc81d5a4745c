// Simulates seeds in a separate process, whose clock is replaced before the program is loaded.

import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SimulationResult } from './simulate.ts';

const INSTALL = new URL('install.ts', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('run-seeds.ts', import.meta.url));

export interface SeedRange {
  readonly first: number;
  readonly count: number;
  /** What is simulated; runs of a few sources by default. */
  readonly course?: 'upgrades';
  /** Ends with the first seed that finds a problem. */
  readonly untilFound?: boolean;
  /** The name of a fault that is planted in the program. */
  readonly plantedFault?: string;
}

export interface SeedResult extends SimulationResult {
  readonly cpuMs: number;
}

/** `onResult` is called after each seed. */
export async function runSeeds(
  { first, count, course, untilFound = false, plantedFault }: SeedRange,
  onResult: (result: SeedResult) => void = () => undefined,
): Promise<readonly SeedResult[]> {
  // Node compiles the program once for all processes.
  const cache = join(tmpdir(), 'pinakes-simulation-code');
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: cache,
    ...(plantedFault === undefined ? {} : { PINAKES_PLANTED_FAULT: plantedFault }),
  };
  const args = [
    '--import',
    INSTALL,
    PROGRAM,
    String(first),
    String(count),
    course ?? (untilFound ? 'until-found' : 'all'),
  ];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const results: SeedResult[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const result = JSON.parse(line) as SeedResult;
    results.push(result);
    onResult(result);
  }
  if ((await ended) !== 0) throw new Error(`the simulation of seeds from ${first} failed: ${errors.join('')}`);
  return results;
}

/** What to read after a seed failed. */
export function describeFailure({ seed, problems, faults, lines }: SeedResult): string {
  return [`seed ${seed}: ${problems.join('\n  ')}`, JSON.stringify(faults), ...(lines ?? [])].join('\n');
}
