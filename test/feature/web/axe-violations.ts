// The accessibility violations that axe finds in a page, one line each.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(
    options: object,
  ): Promise<{ readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: { html: string }[] }> }>;
}

/** By default of all rules. */
export async function axeViolations(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  // Only a new document lacks it: to compile half a megabyte takes longer than to check a small view.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE);
  // What is right needs no description.
  const reported = { resultTypes: ['violations'], selectors: false };
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    },
    rules === null ? reported : { ...reported, runOnly: rules },
  );
}
