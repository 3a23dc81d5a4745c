// The pages of docs/reference, and docs/benchmarks.md, by their path in docs.

import { actionsPage } from './actions-page.ts';
import { benchmarksPage } from './benchmarks-page.ts';
import { cliPage } from './cli-page.ts';
import { configPage } from './config-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { httpPage } from './http-page.ts';
import { mcpPage } from './mcp-page.ts';
import { outcomesPage } from './outcomes-page.ts';
import { schemaPage } from './schema-page.ts';
import { typescriptPage } from './typescript-page.ts';

export const referencePages: Readonly<Record<string, () => string>> = {
  'benchmarks.md': benchmarksPage,
  'reference/actions.md': actionsPage,
  'reference/cli.md': cliPage,
  'reference/config.md': configPage,
  'reference/errors.md': errorsPage,
  'reference/events.md': eventsPage,
  'reference/http.md': httpPage,
  'reference/mcp.md': mcpPage,
  'reference/outcomes.md': outcomesPage,
  'reference/schema.md': schemaPage,
  'reference/typescript.md': typescriptPage,
};
