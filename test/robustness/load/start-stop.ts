// A server started and stopped repeatedly on one directory: it must open each time, and how long that takes.

import { run, start } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

export interface StartStop {
  readonly cycles: number;
  readonly failed: number;
  readonly startP95Ms: number;
}

export async function startAndStop(cycles: number): Promise<StartStop> {
  const settings = { PINAKES_DATA_DIR: temporaryDirectory(), PINAKES_SERVE_PORT: '0' } as const;
  const times: number[] = [];
  let failed = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const startedAt = performance.now();
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    const server = start(settings, ['serve'], () => resolve());
    await Promise.race([listening, server.ended]);
    times.push(performance.now() - startedAt);
    server.kill('SIGTERM');
    const { code } = await server.ended;
    if (code !== 0) failed += 1;
  }
  const verified = await run(settings, ['verify']);
  if (verified.code !== 0) failed += 1;
  const startP95Ms = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0);
  return { cycles, failed, startP95Ms };
}
