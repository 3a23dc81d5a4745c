// Graceful shutdown. The first SIGTERM or SIGINT aborts the loops and closes what was opened, newest first, within a
// deadline; the second one ends the process immediately. Data is safe either way: this only saves work.

import { constants } from 'node:os';
import type { Log } from './log.ts';

type StopSignal = 'SIGINT' | 'SIGTERM';
const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];

export interface Shutdown {
  /** Aborted by the first signal and by `close`: loops stop taking new work. */
  readonly signal: AbortSignal;
  /** Closers run in reverse order, one after the other; one that fails does not keep the others from running. */
  onClose(name: string, closer: () => unknown): void;
  /** For a command that finishes by itself. Safe to call twice. */
  close(): Promise<void>;
}

export interface ShutdownDeps {
  readonly log: Log;
  readonly deadlineMs: number;
  /** The process, or a substitute in a test. */
  readonly host?: {
    on(signal: StopSignal, listener: () => void): unknown;
    off(signal: StopSignal, listener: () => void): unknown;
    exit(code: number): unknown;
  };
}

export function createShutdown({ log, deadlineMs, host = process }: ShutdownDeps): Shutdown {
  const stopping = new AbortController();
  const closers: Array<{ readonly name: string; readonly closer: () => unknown }> = [];
  const listeners = STOP_SIGNALS.map((name) => [name, () => void stop(name)] as const);
  let closing: Promise<void> | null = null;
  let current = '';

  async function closeAll(): Promise<void> {
    stopping.abort();
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
      current = next.name;
      try {
        await next.closer();
      } catch (error) {
        log.error('failed to close', { what: next.name, error });
      }
    }
    for (const [name, listener] of listeners) host.off(name, listener);
  }

  async function stop(name: StopSignal): Promise<void> {
    const code = 128 + constants.signals[name];
    if (stopping.signal.aborted) {
      host.exit(code);
      return;
    }
    log.info('shutting down; send the signal again to exit immediately', { signal: name, deadlineMs });
    const timer = setTimeout(() => {
      const left = closers.map((closer) => closer.name);
      log.warn('shutdown deadline exceeded', { deadlineMs, closing: current, left });
      host.exit(1);
    }, deadlineMs);
    await close();
    clearTimeout(timer);
    host.exit(name === 'SIGTERM' ? 0 : code);
  }

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }

  for (const [name, listener] of listeners) host.on(name, listener);
  return {
    signal: stopping.signal,
    onClose: (name, closer) => void closers.push({ name, closer }),
    close,
  };
}
