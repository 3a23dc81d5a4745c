// The log of a thread, which the main thread writes: one place decides where lines go and what they may not hold.

import { createLog, type Log, type LogFields, type LogLevel } from './log.ts';

/** For the thread: its lines as texts, which cross to another thread as they are. */
export function createRelayedLog(level: LogLevel, tell: (line: string) => void): Log {
  return createLog({ level, now: () => new Date(), write: tell });
}

/** For the main thread. */
export function relay(line: string, log: Log): void {
  const {
    time: _time,
    level,
    message,
    ...fields
  } = JSON.parse(line) as LogFields & {
    time: string;
    level: Exclude<LogLevel, 'silent'>;
    message: string;
  };
  log[level](message, fields);
}
