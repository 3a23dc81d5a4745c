// PostgreSQL's own check of its files, by the extension amcheck where an administrator installed it.

import { PinakesError } from '../../core/model/errors.ts';
import type { FileCheck } from '../sql/engine/engine-parts.ts';
import type { Executor } from '../sql/engine/engine.ts';
import { sqlState } from './postgres-failure.ts';
import { tableOf } from './vector-index.ts';

const MAX_ROWS = 20;

const selectExtension = `select n.nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'amcheck'`;
const selectIndexes = `select c.oid::int8 as id, c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam
  where am.amname = 'btree' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace and i.indisvalid order by c.relname`;
const selectTables = `select c.oid::int8 as id, c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname`;

const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_CHECKED = 'the files of PostgreSQL';

/** Reads everything, so only a full check does it. */
export async function checkPostgresFiles(reader: Executor, depth: 'quick' | 'full'): Promise<FileCheck> {
  if (depth === 'quick') return { damage: [], skipped: [] };
  const missing = await findMissingVectors(reader);
  const { damage, skipped } = await checkRelations(reader);
  return { damage: [...missing, ...damage], skipped };
}

const selectSpaces = `select id from spaces where to_regclass('space_vectors_' || id) is not null order by id`;

/** A vector without bytes is in the table of its space. */
async function findMissingVectors(reader: Executor): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { id } of await reader.all<{ id: number }>(selectSpaces)) {
    const table = tableOf(id);
    const rows = await reader.all<{ hash: string }>(
      `select encode(v.content_hash, 'hex') as hash from vectors v where v.space_id = $1 and length(v.vector) = 0
         and not exists (select 1 from ${table} s where s.content_hash = v.content_hash) limit ${MAX_ROWS}`,
      [id],
    );
    missing.push(...rows.map(({ hash }) => `table ${table}: the vector of text ${hash} is missing`));
  }
  return missing;
}

async function checkRelations(reader: Executor): Promise<FileCheck> {
  const [extension] = await reader.all<{ schema: string }>(selectExtension);
  if (extension === undefined)
    return { damage: [], skipped: [`${NOT_CHECKED}: for that, an administrator runs create extension amcheck`] };
  const schema = `"${extension.schema.replaceAll('"', '""')}"`;
  const damage: string[] = [];
  try {
    for (const { id, name } of await reader.all<Relation>(selectIndexes))
      damage.push(
        ...(await checkIndex(reader, `select ${schema}.bt_index_check($1::int8::oid::regclass, true)`, { id, name })),
      );
    for (const { id, name } of await reader.all<Relation>(selectTables))
      damage.push(
        ...(await checkTable(
          reader,
          `select blkno, msg from ${schema}.verify_heapam($1::int8::oid::regclass) limit ${MAX_ROWS}`,
          { id, name },
        )),
      );
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    return { damage, skipped: [`${NOT_CHECKED}: this user may not execute the functions of amcheck`] };
  }
  return { damage, skipped: [] };
}

interface Relation {
  readonly id: number;
  readonly name: string;
}

/** The check of an index raises its finding. */
async function checkIndex(reader: Executor, sql: string, { id, name }: Relation): Promise<readonly string[]> {
  try {
    await reader.all(sql, [id]);
    return [];
  } catch (error) {
    if (!(error instanceof PinakesError) || error.code !== 'database.corrupt') throw error;
    return [`index ${name}: ${String(error.details['reason'])}`];
  }
}

async function checkTable(reader: Executor, sql: string, { id, name }: Relation): Promise<readonly string[]> {
  const rows = await reader.all<{ blkno: number; msg: string }>(sql, [id]);
  return rows.map(({ blkno, msg }) => `table ${name}, block ${blkno}: ${msg}`);
}
