// Shifts the wall clock of one process: by FAULT_CLOCK_MS from the start, and by FAULT_JUMP_MS when SIGUSR2 comes. The
// monotonic clock stays as it is, as on a real machine.

import { onSignal } from './on-signal.ts';

const RealDate = Date;
let shift = Number(process.env['FAULT_CLOCK_MS'] ?? 0);
const shifted = (): number => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, provided: []) => (provided.length === 0 ? new target(shifted()) : new target(...provided)),
  get: (target, name, receiver) => (name === 'now' ? shifted : (Reflect.get(target, name, receiver) as unknown)),
});

onSignal(() => (shift += Number(process.env['FAULT_JUMP_MS'] ?? 0)));
