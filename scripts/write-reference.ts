// npm run docs: writes docs/reference from the code, so that the pages cannot differ from it. With --check it only tells.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsPage } from './reference/actions-page.ts';
import { cliPage } from './reference/cli-page.ts';
import { configPage } from './reference/config-page.ts';
import { errorsPage } from './reference/errors-page.ts';
import { eventsPage } from './reference/events-page.ts';
import { httpPage } from './reference/http-page.ts';
import { mcpPage } from './reference/mcp-page.ts';
import { schemaPage } from './reference/schema-page.ts';

const folder = join(import.meta.dirname, '../docs/reference');
const pages: Readonly<Record<string, () => string>> = {
  'actions.md': actionsPage,
  'cli.md': cliPage,
  'config.md': configPage,
  'errors.md': errorsPage,
  'events.md': eventsPage,
  'http.md': httpPage,
  'mcp.md': mcpPage,
  'schema.md': schemaPage,
};

mkdirSync(folder, { recursive: true });
for (const [name, write] of Object.entries(pages)) {
  const file = join(folder, name);
  const text = write();
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`docs/reference/${name} is stale: run npm run docs`);
    process.exitCode = 1;
  }
}
