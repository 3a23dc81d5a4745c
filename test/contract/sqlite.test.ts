import { openTestSqlite } from '../support/stores.ts';
import { storeContract } from './store.contract.ts';

storeContract('SQLite', openTestSqlite);
