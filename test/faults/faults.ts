// Every fault that is played, in the order of the list.

import { WORKER_FAULTS } from './worker-faults.ts';
import type { Fault } from './stage.ts';

export const FAULTS: readonly Fault[] = [...WORKER_FAULTS].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
