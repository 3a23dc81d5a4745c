// Crawls of a site that changes, on PostgreSQL. The gate has them on SQLite.

import { incrementalCases } from '../feature/incremental/incremental-cases.ts';
import { openTestPostgres } from '../support/stores.ts';

incrementalCases('postgres', openTestPostgres);
