// Crawls of a site that changes, on SQLite. `npm run test:incremental` has them on PostgreSQL.

import { openTestSqlite } from '../../support/stores.ts';
import { incrementalCases } from './incremental-cases.ts';

incrementalCases('sqlite', openTestSqlite);
