// The log: one JSON object per line, to stderr by default, since stdout belongs to results and to JSON-RPC. It is injected
// everywhere, and every string passes the redactor here, so no caller has to.

import { isSecretName, redactText, type Redact } from './redact.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;
type Write = (message: string, fields?: LogFields) => void;

export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  /** The same log with fields added to every line. */
  with(fields: LogFields): Log;
}

export interface LogDeps {
  readonly level: LogLevel;
  readonly now: () => Date;
  readonly write?: (line: string) => void;
  readonly redact?: Redact;
}

const MAX_TEXT_CHARS = 8192;
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;

/** A warning with the same fields is written at most once in this time. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 500;

/** How often a warning was left out since it was last written; null to leave it out now as well. */
type CountRepeats = (line: string, nowMs: number) => number | null;

function createRepeats(): CountRepeats {
  const written = new Map<string, { readonly atMs: number; skipped: number }>();
  return (line, nowMs) => {
    const before = written.get(line);
    if (before !== undefined && nowMs - before.atMs < REPEAT_MS && nowMs >= before.atMs) {
      before.skipped += 1;
      return null;
    }
    written.delete(line);
    written.set(line, { atMs: nowMs, skipped: 0 });
    if (written.size > MAX_REMEMBERED) written.delete(written.keys().next().value ?? '');
    return before?.skipped ?? 0;
  };
}

export function createLog(deps: LogDeps, boundFields: LogFields = {}, countRepeats = createRepeats()): Log {
  const { level: minLevel, now, write = toStderr, redact = redactText } = deps;
  const at = (level: LogLevel): Write => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(minLevel)) return () => {};
    return (message, fields) => {
      const more = loggable({ ...boundFields, ...fields }, redact, 0) as object;
      const time = now();
      const said = { level, message: loggable(message, redact, 0) };
      const repeated = level === 'warn' ? countRepeats(JSON.stringify({ ...said, ...more }), time.getTime()) : 0;
      if (repeated === null) return;
      const head = { time: time.toISOString(), ...said };
      write(`${JSON.stringify({ ...head, ...more, ...(repeated > 0 && { repeated }), ...head })}\n`);
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(deps, { ...boundFields, ...fields }, countRepeats),
  };
}

/** A value as the log may contain it: bounded in size and depth, without secrets, and never a reason to throw. */
function loggable(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return truncate(redact(value.slice(0, MAX_TEXT_CHARS * 2)));
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (depth >= MAX_DEPTH) return '[deeper]';
  const inner = (item: unknown): unknown => loggable(item, redact, depth + 1);
  if (value instanceof Error) return errorFields(value, inner);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(inner);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, isSecretName(name) && item != null ? '[redacted]' : inner(item)]),
  );
}

/** Only these fields: a driver's error may contain rows, and a client's the headers it sent. */
function errorFields(error: Error, inner: (value: unknown) => unknown): object {
  const code = 'code' in error ? { code: inner(error.code) } : {};
  const cause = error.cause === undefined ? {} : { cause: inner(error.cause) };
  return { name: error.name, message: inner(error.message), ...code, stack: inner(error.stack), ...cause };
}

function truncate(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}… (${text.length} characters)`;
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

/** The log of a worker thread: lines as text, which the main thread writes with its own redactor. */
export function createRelayedLog(level: LogLevel, send: (line: string) => void): Log {
  return createLog({ level, now: () => new Date(), write: send });
}

/** Writes a line of a worker thread to the log of the main thread. */
export function relayLine(line: string, log: Log): void {
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
