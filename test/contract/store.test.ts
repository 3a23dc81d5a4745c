import { openTestPglite, openTestPostgres, openTestSqlite } from '../support/stores.ts';
import { storeContract } from './store.contract.ts';

storeContract('SQLite', openTestSqlite);
storeContract('PostgreSQL', openTestPostgres);
storeContract('PGlite', openTestPglite);
