// Kills the process before or after the n-th matching statement, so that each point between two writes can be tested.
// FAULT_STATEMENT is a regular expression over the SQL text, FAULT_NTH counts from 1, FAULT_WHEN is before or after.

import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

const pattern = new RegExp(process.env['FAULT_STATEMENT'] ?? '^$', 'i');
const nth = Number(process.env['FAULT_NTH'] ?? 1);
const after = process.env['FAULT_WHEN'] === 'after';
let met = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function isTheOne(sql: string): boolean {
  if (!pattern.test(sql)) return false;
  met += 1;
  return met === nth;
}

type Method = (...provided: unknown[]) => unknown;

function wrapMethod(
  object: object,
  name: string,
  sqlOf: (self: unknown, provided: readonly unknown[]) => string,
): void {
  const methods = object as Record<string, Method>;
  const original = methods[name]!;
  methods[name] = function (this: unknown, ...provided: unknown[]): unknown {
    if (!isTheOne(sqlOf(this, provided))) return original.apply(this, provided);
    if (!after) die();
    const result = original.apply(this, provided);
    if (!(result instanceof Promise)) die();
    return result.finally(die);
  };
}

const ofStatement = (self: unknown): string => (self as StatementSync).sourceSQL;
for (const name of ['all', 'get', 'run']) wrapMethod(StatementSync.prototype, name, ofStatement);
wrapMethod(DatabaseSync.prototype, 'exec', (_, [sql]) => String(sql));
wrapMethod(pg.Client.prototype, 'query', (_, [query]) =>
  typeof query === 'string' ? query : String((query as { text?: unknown }).text),
);
