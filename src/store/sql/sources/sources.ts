// Sources, their versions, and what is stored about a version as a whole.

import { parseDeclaredVersion } from '../../../core/model/declared-version.ts';
import { pinakesError } from '../../../core/model/errors.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type { Schedule, Source, SourceChange, SourceDefinition, Sources, StoredBody, Version } from '../../port.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { toRun, type RunRow } from '../runs/run-row.ts';
import { insertRun } from '../runs/runs.ts';
import { finishRemovals, removeSource } from './remove-source.ts';

const insertSource = `insert into sources (name, kind, start, settings, created_at, due_at, machine) values ($1, $2, $3, $4, now_ms(), now_ms() + $5, $6) on conflict do nothing returning id`;
const insertVersion = `insert into versions (source_id, label, facts, created_at) values ($1, $2, '{}', now_ms()) returning id`;

const selectSources = `select id, name, kind, start, settings, created_at, due_at, machine from sources where removed_at is null`;
const selectVersions = batch(
  { source_id: 'int' },
  `select versions.id, versions.source_id, label, declared_version from versions, {rows} r where versions.source_id = r.source_id`,
);
const selectAllVersions = `select id, source_id, label, declared_version from versions order by source_id, id`;

const selectDue = `${selectSources} and due_at <= now_ms() order by due_at limit $1`;

const selectLiveRun = `select id from runs where source_id = $1 and ended_at is null`;
const nameTaken = `select id from sources where name = $2 and id <> $1`;
const crawlFromWeb = `update sources set kind = 'web', start = $2, machine = null where id = $1`;
const changeSource = `update sources set name = $2, settings = $3 where id = $1 and removed_at is null returning id`;
/** Webhooks name the source whose changes they want. */
const renameForWebhooks = `update webhooks set source = $2 where source = (select name from sources where id = $1)`;
const setSchedule = `update sources set due_at = now_ms() + $2 where id = $1`;

const selectFacts = `select facts from versions where id = $1`;
const selectAllFacts = `select id, facts from versions`;
const updateDeclaredVersion = `update versions set declared_version = $2 where id = $1`;
const updateFacts = `update versions set facts = $2 where id = $1`;
const selectFile = `select url, encoding, bytes from discovery_files where version_id = $1 and name = $2`;
const upsertFile = `insert into discovery_files (version_id, name, url, encoding, bytes, saved_at) values ($1, $2, $3, $4, $5, now_ms())
  on conflict (version_id, name) do update set url = excluded.url, encoding = excluded.encoding, bytes = excluded.bytes, saved_at = excluded.saved_at`;

interface FileRow {
  readonly url: PageUrl;
  readonly encoding: StoredBody['encoding'];
  readonly bytes: Uint8Array;
}

interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly kind: SourceDefinition['kind'];
  readonly start: string;
  readonly settings: string;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly machine: string | null;
}

interface VersionRow {
  readonly id: number;
  readonly source_id: number;
  readonly label: string;
  readonly declared_version: string | null;
}

/** Reads sources for the processes of one machine. */
interface SourceReader {
  readonly reader: Executor;
  readonly machine: string | null;
}

export function createSources(engine: Engine, parts: EngineParts, machine: string | null): Sources {
  const from: SourceReader = { reader: engine.reader, machine };
  const machineOf = ({ kind }: SourceDefinition): string | null => (kind === 'folder' ? machine : null);
  return {
    async add(definition, versionLabel, due) {
      const source = { ...definition, machine: machineOf(definition), due };
      await engine.transaction((tx) => addSource(tx, source, versionLabel));
      return addedSource(from, definition.name);
    },
    async addWithRun(definition, versionLabel, due) {
      const source = { ...definition, machine: machineOf(definition), due };
      const row = await engine.transaction(async (tx) => {
        const version = await addSource(tx, source, versionLabel);
        const [run] = await tx.all<RunRow>(insertRun, [version, 'incremental', '{}']);
        return run;
      });
      if (row === undefined) throw new Error(`no run of ${definition.name} was started`);
      return { source: await addedSource(from, definition.name), run: toRun(row) };
    },
    byName: (name) => byName(from, name),
    async list() {
      const rows = await engine.reader.all<SourceRow>(`${selectSources} order by name`);
      return toSources(from, rows, rows.length === 0 ? [] : await engine.reader.all<VersionRow>(selectAllVersions));
    },
    change: (source, change) => engine.transaction((tx) => applyChange(tx, source, change)),
    due: (limit) => read(from, selectDue, [limit]),
    remove: (source) => removeSource(engine, parts, source),
    finishRemovals: () => finishRemovals(engine, parts),
    async facts(version) {
      const [row] = await engine.reader.all<{ facts: string }>(selectFacts, [version]);
      return row === undefined ? {} : jsonObject(row.facts);
    },
    async saveFacts(version, facts) {
      await engine.transaction((tx) => tx.all(updateFacts, [version, jsonText(facts)]));
    },
    async allFacts() {
      const rows = await engine.reader.all<{ id: number; facts: string }>(selectAllFacts);
      return new Map(rows.map(({ id, facts }) => [id as VersionId, jsonObject(facts)]));
    },
    async saveDeclaredVersion(version, declared) {
      const known = declared === null ? null : parseDeclaredVersion(declared);
      await engine.transaction((tx) => tx.all(updateDeclaredVersion, [version, known]));
    },
    async file(version, name) {
      const [row] = await engine.reader.all<FileRow>(selectFile, [version, name]);
      return row === undefined ? null : { url: row.url, body: { encoding: row.encoding, bytes: row.bytes } };
    },
    async saveFile(version, name, { url, body }) {
      await engine.transaction((tx) => tx.all(upsertFile, [version, name, url, body.encoding, body.bytes]));
    },
  };
}

interface NewSource extends SourceDefinition {
  readonly machine: string | null;
  readonly due: Schedule | undefined;
}

/** Returns the id of its version. */
async function addSource(tx: Executor, source: NewSource, label: string): Promise<number> {
  const { name, kind, start, settings, due, machine } = source;
  const values = [name, kind, start, jsonText(settings), due?.afterMs ?? null, machine];
  const [row] = await tx.all<{ id: number }>(insertSource, values);
  if (row === undefined) throw pinakesError('source.exists', { source: name });
  const [version] = await tx.all<{ id: number }>(insertVersion, [row.id, label]);
  if (version === undefined) throw new Error(`source ${name} has no version`);
  return version.id;
}

async function addedSource(from: SourceReader, name: string): Promise<Source> {
  const added = await byName(from, name);
  if (added === null) throw pinakesError('source.unknown', { source: name });
  return added;
}

async function applyChange(tx: Executor, source: SourceId, change: SourceChange): Promise<void> {
  const { name, settings, due, crawlFrom, isAllowedDuringRun } = change;
  const [run] = isAllowedDuringRun ? [] : await tx.all<{ id: number }>(selectLiveRun, [source]);
  if (run !== undefined) throw pinakesError('source.busy', { source: name, run: run.id });
  if ((await tx.all(nameTaken, [source, name])).length > 0) throw pinakesError('source.exists', { source: name });
  await tx.all(renameForWebhooks, [source, name]);
  const changed = await tx.all(changeSource, [source, name, jsonText(settings)]);
  if (changed.length === 0) throw pinakesError('source.unknown', { source: name });
  if (crawlFrom !== undefined) await tx.all(crawlFromWeb, [source, crawlFrom]);
  if (due !== null) await tx.all(setSchedule, [source, due.afterMs]);
}

async function byName(from: SourceReader, name: string): Promise<Source | null> {
  const [source] = await read(from, `${selectSources} and name = $1`, [name]);
  return source ?? null;
}

/** Only their own versions are read: a library has many sources, and this is called for each page, run and poll. */
async function read(from: SourceReader, sql: string, values: readonly (string | number)[]): Promise<readonly Source[]> {
  const rows = await from.reader.all<SourceRow>(sql, values);
  const versions = await from.reader.each<VersionRow>(
    selectVersions,
    rows.map(({ id }) => [id]),
  );
  return toSources(
    from,
    rows,
    versions.toSorted((a, b) => a.id - b.id),
  );
}

function toSources(
  { machine }: SourceReader,
  rows: readonly SourceRow[],
  versions: readonly VersionRow[],
): readonly Source[] {
  const versionsOf = Map.groupBy(versions, (row) => row.source_id);
  return rows.map((row) => ({
    id: row.id as SourceId,
    name: row.name,
    kind: row.kind,
    start: row.start,
    settings: jsonObject(row.settings),
    createdAt: new Date(row.created_at),
    dueAt: row.due_at === null ? null : new Date(row.due_at),
    remoteMachine: row.machine === null || row.machine === machine ? null : row.machine,
    versions: (versionsOf.get(row.id) ?? []).map(versionOf),
  }));
}

function versionOf(row: VersionRow): Version {
  return { id: row.id as VersionId, label: row.label, declaredVersion: row.declared_version };
}
