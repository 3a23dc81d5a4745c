import { openTwoTestPostgres } from '../support/alternating-stores.ts';
import { storeContract } from './store.contract.ts';

storeContract('two stores on one PostgreSQL', openTwoTestPostgres, { processes: 2 });
