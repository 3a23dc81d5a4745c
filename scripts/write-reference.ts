// npm run docs: generates docs/reference and the routes of the client from the code, and docs/benchmarks.md and
// the figures of docs/scale.md from bench/results, so that none can become stale. With --check it only reports.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsPage } from './reference/actions-page.ts';
import { benchmarksPage } from './reference/benchmarks-page.ts';
import { clientRoutes } from './reference/client-routes.ts';
import { cliPage } from './reference/cli-page.ts';
import { configPage } from './reference/config-page.ts';
import { errorsPage } from './reference/errors-page.ts';
import { eventsPage } from './reference/events-page.ts';
import { httpPage } from './reference/http-page.ts';
import { mcpPage } from './reference/mcp-page.ts';
import { scaleFigures } from './reference/scale-figures.ts';
import { schemaPage } from './reference/schema-page.ts';
import { typescriptPage } from './reference/typescript-page.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs');
const pages: Readonly<Record<string, () => string>> = {
  'benchmarks.md': benchmarksPage,
  'reference/actions.md': actionsPage,
  'reference/cli.md': cliPage,
  'reference/config.md': configPage,
  'reference/errors.md': errorsPage,
  'reference/events.md': eventsPage,
  'reference/http.md': httpPage,
  'reference/mcp.md': mcpPage,
  'reference/schema.md': schemaPage,
  'reference/typescript.md': typescriptPage,
  'scale.md': () => withFigures('scale.md', scaleFigures()),
};

/** Code that is generated from other code, by its path. */
const sources: Readonly<Record<string, () => string>> = {
  'src/client/http-routes.table.ts': clientRoutes,
};

mkdirSync(join(folder, 'reference'), { recursive: true });
const files = [
  ...Object.entries(pages).map(([name, write]) => [`docs/${name}`, write] as const),
  ...Object.entries(sources),
];
for (const [name, write] of files) {
  const file = join(root, name);
  const text = write();
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is stale: run npm run docs`);
    process.exitCode = 1;
  }
}

/** A hand-written page, except for the part between two markers. */
function withFigures(name: string, figures: string): string {
  const text = readFileSync(join(folder, name), 'utf8');
  const [before, rest] = text.split('<!-- figures -->\n');
  const after = rest?.split('<!-- end of figures -->')[1];
  if (before === undefined || after === undefined) throw new Error(`${name} has no markers for figures`);
  return `${before}<!-- figures -->\n\n${figures}\n\n<!-- end of figures -->${after}`;
}
