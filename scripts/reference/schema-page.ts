// docs/reference/schema.md: the tables that the migrations produce, from the committed schemas.

import { committedSchema } from '../../test/schema/committed-schema.ts';
import { page } from './markdown.ts';

export function schemaPage(): string {
  return page(
    'Schema',
    `The tables of a library after all migrations. Both engines have the same tables and columns, except
for what only PostgreSQL has. They may be read while the program runs; they change without notice between versions, so
programs should use the [HTTP API](http.md). Times are milliseconds since 1970.`,
    `## SQLite\n\n\`\`\`sql\n${committedSchema('sqlite').trim()}\n\`\`\``,
    `## PostgreSQL\n\n\`\`\`sql\n${committedSchema('postgres').trim()}\n\`\`\``,
  );
}
