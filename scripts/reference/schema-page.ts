// docs/reference/schema.md: the schema files with their comments.

import { readMigrations } from '../../src/store/sql/engine/migrations.ts';
import { page } from './markdown.ts';

export function schemaPage(): string {
  return page(
    'Schema',
    `The tables of a library. Both databases have the same tables and columns, except for what only PostgreSQL has.
They may be read while the program runs; they change without notice between versions, so programs should use the
[HTTP API](http.md). Times are milliseconds since 1970.`,
    section('SQLite', 'sqlite'),
    section('PostgreSQL', 'postgres'),
  );
}

function section(title: string, engine: Parameters<typeof readMigrations>[0]): string {
  const files = readMigrations(engine).map(({ sql }) => sql.trim());
  return `## ${title}\n\n\`\`\`sql\n${files.join('\n\n')}\n\`\`\``;
}
