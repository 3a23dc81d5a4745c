import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createCitedIdsReporter } from './test/support/cited-ids-reporter.ts';
import { createSkipReporter } from './test/support/skip-reporter.ts';

/** Files are run by size, and these are short ones that run for minutes: last, they would leave a processor idle. */
const LONG_RUNNING = /\/test\/(?:contract|robustness\/faults)\//;

/** The gate counts the tests in a file. */
const REPORT = process.env['PINAKES_TEST_REPORT'];
const JSON_REPORT: [string, Record<string, unknown>][] = REPORT === undefined ? [] : [['json', { outputFile: REPORT }]];

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG_RUNNING.test(moduleId);
}

class LongRunningFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return [...bySize.filter(isLong), ...bySize.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // Several suites start browsers, databases and builds, on machines with two cores.
    testTimeout: 120_000,
    // A flaky test is fixed, not retried.
    retry: 0,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/template-database.ts'],
    reporters: ['default', createCitedIdsReporter(), createSkipReporter(), ...JSON_REPORT],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongRunningFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
          // Long suites are npm scripts with their own configuration.
          exclude: ['**/node_modules/**', 'src/core/**', 'test/long/**', 'dist/**'],
        },
      },
      {
        extends: true,
        // Core has no state that a test could leave behind, so its files share a process and its modules are loaded once.
        test: { name: 'core', include: ['src/core/**/*.test.ts'], isolate: false },
      },
    ],
  },
});
