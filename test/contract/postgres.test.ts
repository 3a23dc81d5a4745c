import { openTestPostgres } from '../support/stores.ts';
import { storeContract } from './store.contract.ts';

storeContract('PostgreSQL', openTestPostgres);
