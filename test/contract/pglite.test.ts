import { openTestPglite } from '../support/stores.ts';
import { storeContract } from './store.contract.ts';

storeContract('PGlite', openTestPglite);
