// The list of what a hostile page tries in the browser, with what became of each. Writes bench/results/render-attempts.json.

import { expect, test } from 'vitest';
import { PAGE_ATTEMPTS } from '../feature/render/page-attempts.table.ts';
import { runAttempts } from '../feature/render/page-attempts.ts';
import { writeResult } from '../support/write-result.ts';

test('no attempt of a page reaches what it must not', async () => {
  const results = await runAttempts(PAGE_ATTEMPTS);
  writeResult('render-attempts', { attempts: results.map(({ ms: _, ...result }) => result) });
  expect(results.flatMap(({ broken }) => broken)).toEqual([]);
});
