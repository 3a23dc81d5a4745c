// The program's log: one JSON object a line, to stderr by default, since stdout belongs to answers and to JSON-RPC.
// Injected everywhere. Every string passes the redactor here, so no caller has to think of it.

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
  /** The same log with fields that every line carries. */
  with(fields: LogFields): Log;
}

export interface LogDeps {
  readonly level: LogLevel;
  readonly now: () => Date;
  readonly write?: (line: string) => void;
  readonly redact?: Redact;
}

const LONGEST_TEXT = 8192;
const DEEPEST = 6;
const MOST_ITEMS = 100;

export function createLog(deps: LogDeps, own: LogFields = {}): Log {
  const { level: least, now, write = toStderr, redact = redactText } = deps;
  const at = (level: LogLevel): Write => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return () => {};
    return (message, fields) => {
      const more = loggable({ ...own, ...fields }, redact, 0) as object;
      const head = { time: now().toISOString(), level, message: loggable(message, redact, 0) };
      write(`${JSON.stringify({ ...head, ...more, ...head })}\n`);
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(deps, { ...own, ...fields }),
  };
}

/** A value as the log may hold it: bounded in size and depth, free of secrets, and never a reason to throw. */
function loggable(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return cut(redact(value.slice(0, LONGEST_TEXT * 2)));
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (depth >= DEEPEST) return '[deeper]';
  const inner = (item: unknown): unknown => loggable(item, redact, depth + 1);
  if (value instanceof Error) return errorFields(value, inner);
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(inner);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const entries = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, isSecretName(name) && item != null ? '[redacted]' : inner(item)]),
  );
}

/** Only these: a driver's error may carry rows, and a client's the headers that it sent. */
function errorFields(error: Error, inner: (value: unknown) => unknown): object {
  const code = 'code' in error ? { code: inner(error.code) } : {};
  const cause = error.cause === undefined ? {} : { cause: inner(error.cause) };
  return { name: error.name, message: inner(error.message), ...code, stack: inner(error.stack), ...cause };
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)`;
}

function toStderr(line: string): void {
  process.stderr.write(line);
}
