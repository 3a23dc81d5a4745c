// Follows the events of a SQLite file from a process that does not own it, and prints each number it sees.

import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const { file, until } = JSON.parse(process.argv[2] ?? '') as { file: string; until: number };
const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
const next = database.prepare('select seq, kind, detail from events where seq > ? order by seq limit 100');
writeSync(1, '"reading"\n');
for (let seen = 0, last = 0; seen < until;) {
  const rows = next.all(last) as Array<{ seq: number; kind: string; detail: string }>;
  for (const row of rows) writeSync(1, `${JSON.stringify({ ...row, detail: JSON.parse(row.detail) as unknown })}\n`);
  seen += rows.length;
  last = rows.at(-1)?.seq ?? last;
  if (rows.length === 0) await wait(1);
}
database.close();
