import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    // Long suites are npm scripts with their own configuration.
    exclude: ['**/node_modules/**', 'test/long/**', 'dist/**'],
    // Several suites start browsers, databases and builds, on machines with two cores.
    testTimeout: 120_000,
    // A flaky test is fixed, not retried.
    retry: 0,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
