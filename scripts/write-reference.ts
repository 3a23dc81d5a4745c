// npm run docs: generates docs/reference, the routes of the client and the summaries of the actions from the code, and docs/benchmarks.md and
// the figures of docs/scale.md from bench/results, so that none can become stale. With --check it only reports.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionSummaries } from './reference/action-summaries.ts';
import { clientRoutes } from './reference/client-routes.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs');
/** Code that is generated from other code, by its path. */
const sources: Readonly<Record<string, () => string | Promise<string>>> = {
  'src/actions/summaries.table.ts': actionSummaries,
  'src/client/http-routes.table.ts': clientRoutes,
};

mkdirSync(join(folder, 'reference'), { recursive: true });
await writeAll(Object.entries(sources));
// Only now: what is generated from the program reads the code that was just written.
const [{ referencePages }, { scaleResults }] = await Promise.all([
  import('./reference/reference-pages.ts'),
  import('./reference/scale-results.ts'),
]);
await writeAll([
  ...Object.entries(referencePages).map(([name, write]) => [`docs/${name}`, write] as const),
  ['docs/scale.md', () => withGenerated('scale.md', scaleResults())],
]);

async function writeAll(files: ReadonlyArray<readonly [string, () => string | Promise<string>]>): Promise<void> {
  for (const [name, write] of files) {
    const file = join(root, name);
    const text = await write();
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${name} is stale: run npm run docs`);
      process.exitCode = 1;
    }
  }
}

/** A hand-written page, except for the part between two markers. */
function withGenerated(name: string, generated: string): string {
  const text = readFileSync(join(folder, name), 'utf8');
  const [before, rest] = text.split('<!-- figures -->\n');
  const after = rest?.split('<!-- end of figures -->')[1];
  if (before === undefined || after === undefined) throw new Error(`${name} has no markers for figures`);
  return `${before}<!-- figures -->\n\n${generated}\n\n<!-- end of figures -->${after}`;
}
