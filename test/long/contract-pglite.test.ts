// The contract of the store on PGlite, PostgreSQL in WebAssembly of a newer version than the one of the gate.

import { openTestPglite } from '../support/stores.ts';
import { storeContract } from '../contract/store.contract.ts';

storeContract('PGlite', openTestPglite);
