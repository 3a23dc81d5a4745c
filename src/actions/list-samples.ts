// Lists the progress of a run over time.

import { z } from 'zod';
import { NO_RATES, runRates } from '../core/model/run-rates.ts';
import type { RunProgress } from '../core/model/run-rates.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';

const Sample = z.object({
  at: z.iso.datetime(),
  found: z.int().describe('URLs accepted into the run'),
  queued: z.int(),
  stored: z.int().describe('New, changed and unchanged pages'),
  failed: z.int(),
  bytes: z.int(),
  requests: z.int().describe('Requests for URLs of the run'),
  downloads: z.int().describe('Requests that were answered with a body'),
  requestsPerSec: z.number().nullable().describe('Since the sample before; null for the first'),
  downloadsPerSec: z.number().nullable(),
  bytesPerSec: z.number().nullable(),
  errorRatePerMin: z.number().nullable(),
});

export type SampleView = z.output<typeof Sample>;

export const listSamples = action({
  name: 'list_samples',
  summary: 'List the progress of a run over time',
  effect: 'read',
  input: z.strictObject({ run: z.string().min(1).describe(RUN_REFERENCE) }),
  output: z.object({
    run: z.int(),
    startedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
    samples: z
      .array(Sample)
      .describe('Oldest first, 400 at most: one every ten seconds in a short run, fewer in a long one'),
  }),
  bindings: {
    cli: { command: 'samples', group: 'runs', positional: ['run'], example: 'pinakes samples docs.example.dev' },
    http: { method: 'GET', path: '/runs/{run}/samples' },
  },

  async run({ run: reference }, { store }) {
    const run = await resolveRun(store, reference);
    const samples = await store.runs.samples(run.id);
    return {
      run: run.id,
      startedAt: run.startedAt?.toISOString() ?? null,
      endedAt: run.endedAt?.toISOString() ?? null,
      samples: samples.map((sample, i) => sampleView(sample, samples[i - 1])),
    };
  },
});

function sampleView(sample: RunProgress, before: RunProgress | undefined): SampleView {
  const rates = before === undefined ? null : runRates(before, sample);
  const { queueSize: queued, ...counts } = sample;
  return { ...counts, queued, at: sample.at.toISOString(), ...(rates ?? NO_RATES) };
}
