// The long forms of suites that have a short form in the gate. Each is an npm script and leaves its figures in
// bench/results. One file at a time: they measure, and they load the machine by themselves.

import { defineConfig } from 'vitest/config';
import { createCitedIdsReporter } from './test/support/cited-ids-reporter.ts';
import { createSkipReporter } from './test/support/skip-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/template-database.ts'],
    reporters: ['default', createCitedIdsReporter(), createSkipReporter()],
    pool: 'forks',
    fileParallelism: false,
  },
});
