// Reads a file of named reference statements.

import { readFileSync } from 'node:fs';

export function referenceStatements(file: string): (name: string) => string {
  const text = readFileSync(new URL(`reference/${file}`, import.meta.url), 'utf8');
  const statements = new Map(
    text
      .split(/^-- name: /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return [part.slice(0, end).trim(), part.slice(end + 1).trim()];
      }),
  );
  return (name) => {
    const sql = statements.get(name);
    if (sql === undefined) throw new Error(`${file} has no statement ${name}`);
    return sql;
  };
}
