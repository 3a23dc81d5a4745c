// Says at the end of a run which tests were skipped, and what each needs.

import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

export interface SkippedTests {
  readonly needs: string;
  readonly tests: number;
  readonly files: number;
}

function needsOf(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  for (let task: TestCase | TestSuite | TestModule = test; task.type !== 'module'; task = task.parent) {
    const { needs } = task.meta();
    if (needs !== undefined) return `needs ${needs}`;
  }
  return 'without a reason';
}

export function skippedTests(modules: readonly TestModule[]): readonly SkippedTests[] {
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
  const byNeed = Map.groupBy(skipped, needsOf);
  return [...byNeed]
    .map(([needs, tests]) => ({ needs, tests: tests.length, files: new Set(tests.map((test) => test.module)).size }))
    .toSorted((a, b) => b.tests - a.tests);
}

export function createSkipReporter(print: (line: string) => void = console.log): Reporter {
  let isFiltered = false;
  return {
    onInit({ config }) {
      isFiltered = config.testNamePattern !== undefined;
    },
    onTestRunEnd(modules) {
      // A pattern skips all others on purpose.
      if (isFiltered) return;
      for (const { needs, tests, files } of skippedTests(modules))
        print(
          `skipped: ${needs} — ${tests} ${tests === 1 ? 'test' : 'tests'} in ${files} ${files === 1 ? 'file' : 'files'}`,
        );
    },
  };
}
