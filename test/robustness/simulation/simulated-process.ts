// A process of the simulation: everything that it starts belongs to it, by the async context. It may die, which means that none
// of its promises settles any more, stop for a while and continue as if nothing had happened, or have a wrong clock.

import { AsyncLocalStorage } from 'node:async_hooks';
import { at, virtualMs } from './virtual-time.ts';

export interface SimulatedProcess {
  readonly name: string;
  /** Others are consumers. */
  readonly isWorker: boolean;
  isDead: boolean;
  /** It does nothing before this time, or before it is continued. */
  stoppedUntilMs: number;
  /** What is due since it was stopped. */
  readonly due: Array<() => void>;
  /** How far its wall clock is off. */
  readonly skewMs: number;
}

const context = new AsyncLocalStorage<SimulatedProcess>();

export function createProcess(name: string, { isWorker = false, skewMs = 0 } = {}): SimulatedProcess {
  return { name, isWorker, isDead: false, stoppedUntilMs: 0, due: [], skewMs };
}

export function stopProcess(process: SimulatedProcess, untilMs: number): void {
  process.stoppedUntilMs = untilMs;
  at(untilMs, () => {
    if (process.stoppedUntilMs === untilMs) continueProcess(process);
  });
}

/** What is due fires now, in random order. */
export function continueProcess(process: SimulatedProcess): void {
  process.stoppedUntilMs = 0;
  for (const fire of process.due.splice(0)) at(virtualMs(), fire);
}

export function inProcess<T>(process: SimulatedProcess, run: () => T): T {
  return context.run(process, run);
}

/** Undefined in the world around the processes. */
export function currentProcess(): SimulatedProcess | undefined {
  return context.getStore();
}

/** Fires in the current process: later if that is stopped then, never if it is dead. Returns a function that cancels it. */
export function atInProcess(time: number, run: () => void): () => void {
  const process = currentProcess();
  if (process === undefined) return at(time, run);
  let isCancelled = false;
  const cancel = at(time, fire);
  function fire(): void {
    if (process === undefined || process.isDead || isCancelled) return;
    if (process.stoppedUntilMs > virtualMs()) process.due.push(fire);
    else run();
  }
  return () => {
    isCancelled = true;
    cancel();
  };
}

/** Resolves in the current process. */
export function delayInProcess(ms: number): Promise<void> {
  return new Promise((resolve) => void atInProcess(virtualMs() + ms, resolve));
}
