// Shifts the wall clock of one process: by FAULT_CLOCK_MS from the start, and by FAULT_JUMP_MS once FAULT_JUMP_AFTER_MS
// have passed. The monotonic clock stays as it is, as on a real machine.

const RealDate = Date;
const began = performance.now();
const skew = Number(process.env['FAULT_CLOCK_MS'] ?? 0);
const jump = Number(process.env['FAULT_JUMP_MS'] ?? 0);
const jumpAfter = Number(process.env['FAULT_JUMP_AFTER_MS'] ?? Infinity);
const shifted = (): number => RealDate.now() + skew + (performance.now() - began >= jumpAfter ? jump : 0);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: []) => (given.length === 0 ? new target(shifted()) : new target(...given)),
  get: (target, name, receiver) => (name === 'now' ? shifted : (Reflect.get(target, name, receiver) as unknown)),
});
