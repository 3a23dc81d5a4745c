// All tested faults, in the order of the list.

import { CLOCK_FAULTS } from './clock-faults.ts';
import { CONNECTION_FAULTS } from './connection-faults.ts';
import { DISK_FAULTS } from './disk-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';
import { EMBEDDING_FAULTS } from './embedding-faults.ts';
import { FILE_FAULTS } from './file-faults.ts';
import { LIBRARY_FAULTS } from './library-faults.ts';
import { LOAD_FAULTS } from './load-faults.ts';
import { PAGE_FAULTS } from './page-faults.ts';
import { POSTGRES_FAULTS } from './postgres-faults.ts';
import { SIGNAL_FAULTS } from './signal-faults.ts';
import { WORKER_FAULTS } from './worker-faults.ts';
import type { Fault } from './fault-fixture.ts';

export const FAULTS: readonly Fault[] = [
  ...WORKER_FAULTS,
  ...POSTGRES_FAULTS,
  ...CONNECTION_FAULTS,
  ...DISK_FAULTS,
  ...SERVER_FAULTS,
  ...EMBEDDING_FAULTS,
  ...FILE_FAULTS,
  ...CLOCK_FAULTS,
  ...SIGNAL_FAULTS,
  ...LOAD_FAULTS,
  ...PAGE_FAULTS,
  ...LIBRARY_FAULTS,
].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
