// Runs every invariant. Each sees one snapshot, so a busy store gives no false alarm within one of them.

import type { Violation } from '../port.ts';
import type { Engine } from './engine/engine.ts';
import { INVARIANTS } from './engine/invariants.table.ts';

/** Enough to see what is wrong; a broken store could list millions. */
const SHOWN = 20;

export async function verify(engine: Engine, maxAttempts: number): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const { id, what, sql } of INVARIANTS.toSorted((a, b) => a.id.localeCompare(b.id))) {
    const values = sql.includes('$1') ? [maxAttempts] : [];
    const rows = await engine.reader.all<{ row: string }>(
      `select broken.row from (${sql}) broken limit ${SHOWN}`,
      values,
    );
    for (const { row } of rows) violations.push({ invariant: id, what, row });
  }
  return violations;
}
