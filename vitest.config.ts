import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    // Long suites are npm scripts with a configuration of their own.
    exclude: ['**/node_modules/**', 'test/long/**', 'dist/**'],
    // Several suites start browsers, databases and builds, on machines with two cores.
    testTimeout: 120_000,
    // Real clocks, processes and browsers share two cores here; the report names what needed a second try.
    retry: 2,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
