// What only SQLite says in its own way.

import type { EngineParts } from '../sql/engine/engine-parts.ts';
import { backupSqlite } from './backup-sqlite.ts';
import { claimUrls } from './claim-urls.ts';
import type { SqliteEngine } from './sqlite-engine.ts';
import { createVectorSearch } from './vector-search.ts';

export function sqliteParts(engine: SqliteEngine): EngineParts {
  return {
    name: 'sqlite',
    claim: (request, maxAttempts) => claimUrls(engine, request, maxAttempts),
    lockTexts: async () => undefined,
    forUpdate: '',
    databaseBytes: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
    vectors: createVectorSearch(engine.reader),
    backup: async (file) => backupSqlite(engine.writer.database.location() ?? '', file),
  };
}
