// A test that is skipped says what it needs, at the end of the run.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plantTree } from '../../support/planted-tree.ts';

test('what is skipped is listed by what it needs', () => {
  const tree = plantTree({
    copied: ['test/support/needs.ts', 'test/support/skip-reporter.ts'],
    files: {
      'package.json': '{ "type": "module" }',
      'vitest.config.ts': `import { createSkipReporter } from './test/support/skip-reporter.ts';
        export default { test: { reporters: [createSkipReporter()] } };`,
      'one.test.ts': `import { describe, expect, test } from 'vitest';
        import { needing } from './test/support/needs.ts';
        describe('suite', needing('Qdrant', false), () => {
          test('a', () => expect(1).toBe(2));
          describe('inner', () => test('b', () => expect(1).toBe(2)));
        });
        test('c', needing('Qdrant', true), () => expect(1).toBe(1));
        test('d', (context) => context.skip('the shim cannot be compiled'));`,
      'two.test.ts': `import { expect, test } from 'vitest';
        import { needing } from './test/support/needs.ts';
        test.each([1, 2])('%s', { ...needing('Qdrant', false), timeout: 5 }, () => expect(1).toBe(2));
        test.skip('e', () => undefined);`,
    },
  });
  const { stdout, status } = tree.run('vitest run --no-cache');
  expect(stdout.trim().split('\n').toSorted()).toEqual([
    'skipped: needs Qdrant — 4 tests in 2 files',
    'skipped: the shim cannot be compiled — 1 test in 1 file',
    'skipped: without a reason — 1 test in 1 file',
  ]);
  expect(status).toBe(0);
  expect(tree.run('vitest run --no-cache -t c').stdout.trim()).toBe('');
});

test('no test is skipped without a reason', () => {
  const silent = globSync(['src/**/*.test.ts', 'test/**/*.ts', 'web/**/*.test.{ts,tsx}']).filter(
    (path) =>
      path !== 'test/project/architecture/skipped-tests.test.ts' &&
      /\b(?:test|it|describe)\.(?:skip|skipIf|runIf|todo)\b/.test(readFileSync(path, 'utf8')),
  );
  expect(silent).toEqual([]);
});
