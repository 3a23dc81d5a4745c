// What every answer that starts a run states about the start.

import { z } from 'zod';
import { monotonicMs } from '../../platform/clock.ts';

/** A specification fixes the names. */
export const startFields = {
  stage: z.literal('preparing').describe('A new run is prepared first; follow it with crawl_status'),
  durationMs: z.number().describe('How long the server took to start the run, in milliseconds'),
};

export interface RunStart {
  readonly stage: 'preparing';
  readonly durationMs: number;
}

/** Call it first; the result is called when the run has been started. */
export function timeStart(): () => RunStart {
  const began = monotonicMs();
  return () => ({ stage: 'preparing', durationMs: Math.round((monotonicMs() - began) * 100) / 100 });
}
