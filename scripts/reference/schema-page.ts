// docs/reference/schema.md: the tables that the migrations result in, from the committed schemas.

import { committedSchema } from '../../test/schema/committed-schema.ts';
import { page } from './markdown.ts';

export function schemaPage(): string {
  return page(
    'Schema',
    `The tables of a library, as the migrations leave them. Both engines have the same tables with the same columns, except
for what only PostgreSQL has. They may be read beside a running program; they change without notice between versions, so
programs should use the [HTTP](http.md) door. Times are milliseconds since 1970.`,
    `## SQLite\n\n\`\`\`sql\n${committedSchema('sqlite').trim()}\n\`\`\``,
    `## PostgreSQL\n\n\`\`\`sql\n${committedSchema('postgres').trim()}\n\`\`\``,
  );
}
