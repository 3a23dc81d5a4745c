// Reads sources with their versions.

import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type { Source, SourceDefinition, Version } from '../../port/sources.ts';
import { jsonObject } from '../engine/codec.ts';
import { batch, type Executor, type Value } from '../engine/engine.ts';

export const SOURCE_COLUMNS = 'id, name, kind, start_url, settings, created_at, due_at, machine';
export const VERSION_COLUMNS = 'id, source_id, label, declared_version, has_pages';

const selectVersions = batch(
  { wanted: 'int' },
  `select ${VERSION_COLUMNS} from versions, {rows} r where source_id = r.wanted`,
);

export interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly kind: SourceDefinition['kind'];
  readonly start_url: string;
  readonly settings: string;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly machine: string | null;
}

export interface VersionRow {
  readonly id: number;
  readonly source_id: number;
  readonly label: string;
  readonly declared_version: string | null;
  readonly has_pages: number;
}

/** Reads sources for the processes of one machine. */
export interface SourceReader {
  readonly reader: Executor;
  readonly machine: string | null;
}

export async function readSources(from: SourceReader, rest: string, values: readonly Value[]): Promise<Source[]> {
  const sql = `select ${SOURCE_COLUMNS} from sources where removed_at is null and ${rest}`;
  return toSources(from, await from.reader.all<SourceRow>(sql, values));
}

const selectById = batch(
  { wanted: 'int' },
  `select ${SOURCE_COLUMNS} from sources, {rows} r where id = r.wanted and removed_at is null`,
);

export async function sourcesById(from: SourceReader, ids: readonly SourceId[]): Promise<Source[]> {
  const rows = await from.reader.each<SourceRow>(
    selectById,
    ids.map((id) => [id]),
  );
  return toSources(from, rows);
}

/** In the order of the rows. */
export async function toSources({ reader, machine }: SourceReader, rows: readonly SourceRow[]): Promise<Source[]> {
  const versions = await reader.each<VersionRow>(
    selectVersions,
    rows.map(({ id }) => [id]),
  );
  const versionsOf = Map.groupBy(
    versions.toSorted((a, b) => a.id - b.id),
    (row) => row.source_id,
  );
  return rows.map((row) => ({
    id: row.id as SourceId,
    name: row.name,
    kind: row.kind,
    startUrl: row.start_url,
    settings: jsonObject(row.settings),
    createdAt: new Date(row.created_at),
    dueAt: row.due_at === null ? null : new Date(row.due_at),
    remoteMachine: row.machine === null || row.machine === machine ? null : row.machine,
    versions: (versionsOf.get(row.id) ?? []).map(versionOf),
  }));
}

export function versionOf(row: VersionRow): Version {
  return {
    id: row.id as VersionId,
    label: row.label,
    declaredVersion: row.declared_version,
    hasPages: row.has_pages === 1,
  };
}
