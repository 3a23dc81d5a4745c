// The checks of `pinakes verify`: the files of the database, the search index, and every invariant.

import { PinakesError } from '../../core/model/errors.ts';
import type { DamageReport, Violation } from '../port.ts';
import type { EngineParts } from './engine/engine-parts.ts';
import type { Engine } from './engine/engine.ts';
import { INVARIANTS, type Invariant } from './engine/invariants.table.ts';
import { checkIndexSample } from './search/check-index-sample.ts';
import { checkSegments } from './search/segment-checksum.ts';

/** Enough to see what is wrong; a broken store could list millions. */
const MAX_ROWS_SHOWN = 20;

/** Each invariant reads one snapshot, so a busy store gives no false alarm within one of them. */
export async function verifyInvariants(engine: Engine, maxAttempts: number): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const invariant of INVARIANTS.toSorted((a, b) => a.id.localeCompare(b.id)))
    violations.push(
      ...(await unlessDamaged(invariant.id, invariant.what, () => checkInvariant(engine, invariant, maxAttempts))),
    );
  return violations;
}

async function checkInvariant(
  engine: Engine,
  { id, what, sql, remedy }: Invariant,
  maxAttempts: number,
): Promise<readonly Violation[]> {
  const values = sql.includes('$1') ? [maxAttempts] : [];
  const rows = await engine.reader.all<{ row: string }>(
    `select broken.row from (${sql}) broken limit ${MAX_ROWS_SHOWN}`,
    values,
  );
  return rows.map(({ row }) => ({ invariant: id, what, row, remedy: remedy ?? null }));
}

/** A check that meets a damaged part of the file reports that, and the others continue. */
async function unlessDamaged(
  invariant: string,
  what: string,
  check: () => Promise<readonly Violation[]>,
): Promise<readonly Violation[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof PinakesError) || error.code !== 'database.corrupt') throw error;
    return [{ invariant, what, row: `not checked: ${String(error.details['reason'])}`, remedy: 'restore' }];
  }
}

const FILES = 'the files of the database are intact';

export async function findDamage(engine: Engine, parts: EngineParts, depth: 'quick' | 'full'): Promise<DamageReport> {
  const { damage, skipped } = await parts.checkFiles(depth);
  const files = damage
    .slice(0, MAX_ROWS_SHOWN)
    .map((row): Violation => ({ invariant: 'files', what: FILES, row, remedy: 'restore' }));
  if (depth === 'quick') return { violations: files, skipped };
  const { reader } = engine;
  const checksums = await unlessDamaged('checksum', 'the search index is as it was written', () =>
    checkSegments(reader),
  );
  const sample = await unlessDamaged('sample', 'pages are found by their words', () => checkIndexSample(reader));
  return { violations: [...files, ...checksums, ...sample], skipped };
}
