// Sources and their versions.

import { pinakesError } from '../../core/model/errors.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';
import type { Source, SourceDefinition, Sources, Version } from '../port.ts';
import { jsonObject, jsonText } from './codec.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Engine, Executor } from './engine.ts';
import { finishRemovals, removeSource } from './remove-source.ts';
import { createVersionFacts } from './version-facts.ts';

const insertSource = `insert into sources (name, kind, start, settings, created_at) values ($1, $2, $3, $4, now_ms()) on conflict do nothing returning id`;
const insertVersion = `insert into versions (source_id, label, facts, created_at) values ($1, $2, '{}', now_ms())`;

const selectSources = `select id, name, kind, start, settings, created_at from sources where removed_at is null`;
const selectVersions = `select id, source_id, label from versions order by source_id, id`;

interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly kind: SourceDefinition['kind'];
  readonly start: string;
  readonly settings: string;
  readonly created_at: number;
}

interface VersionRow {
  readonly id: number;
  readonly source_id: number;
  readonly label: string;
}

export function createSources(engine: Engine, parts: EngineParts): Sources {
  return {
    async add(definition, versionLabel) {
      await engine.transaction(async (tx) => {
        const { name, kind, start, settings } = definition;
        const [row] = await tx.all<{ id: number }>(insertSource, [name, kind, start, jsonText(settings)]);
        if (row === undefined) throw pinakesError('source.exists', { source: name });
        await tx.all(insertVersion, [row.id, versionLabel]);
      });
      const added = await byName(engine.reader, definition.name);
      if (added === null) throw pinakesError('source.unknown', { source: definition.name });
      return added;
    },
    byName: (name) => byName(engine.reader, name),
    list: () => read(engine.reader, `${selectSources} order by name`, []),
    remove: (source) => removeSource(engine, parts, source),
    finishRemovals: () => finishRemovals(engine, parts),
    ...createVersionFacts(engine),
  };
}

async function byName(reader: Executor, name: string): Promise<Source | null> {
  const [source] = await read(reader, `${selectSources} and name = $1`, [name]);
  return source ?? null;
}

async function read(reader: Executor, sql: string, values: readonly string[]): Promise<readonly Source[]> {
  const rows = await reader.all<SourceRow>(sql, values);
  if (rows.length === 0) return [];
  const versions = Map.groupBy(await reader.all<VersionRow>(selectVersions), (row) => row.source_id);
  return rows.map((row) => ({
    id: row.id as SourceId,
    name: row.name,
    kind: row.kind,
    start: row.start,
    settings: jsonObject(row.settings),
    createdAt: new Date(row.created_at),
    versions: (versions.get(row.id) ?? []).map(versionOf),
  }));
}

function versionOf(row: VersionRow): Version {
  return { id: row.id as VersionId, label: row.label };
}
