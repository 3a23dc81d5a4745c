// Sources, their versions, and what is stored about a version as a whole.

import { parseDeclaredVersion } from '../../../core/model/declared-version.ts';
import { pinakesError } from '../../../core/model/errors.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type { JsonObject } from '../../port/json.ts';
import type { Schedule, Source, SourceChange, SourceDefinition, Sources, Version } from '../../port/sources.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import {
  readSources,
  sourcesById,
  VERSION_COLUMNS,
  versionOf,
  type SourceReader,
  type VersionRow,
} from './read-sources.ts';
import { lockSource } from './lock-source.ts';
import { createSourceDirectory } from './source-directory.ts';
import { toRun, type RunRow } from '../runs/run-row.ts';
import { insertRun } from '../runs/runs.ts';
import { finishRemovals, removeSource, removeVersion } from './remove-source.ts';
import type { StoredBody } from '../../../platform/compress-body.ts';

const insertSource = `insert into sources (name, kind, start_url, settings, created_at, due_at, machine) values ($1, $2, $3, $4, now_ms(), now_ms() + $5, $6) on conflict do nothing returning id`;
const insertVersion = `insert into versions (source_id, label, site_profile, created_at) values ($1, $2, '{}', now_ms()) returning id`;

const insertFurtherVersion = `insert into versions (source_id, label, site_profile, created_at) select id, $2, '{}', now_ms() from sources
  where id = $1 and removed_at is null on conflict do nothing`;
const selectLabelled = `select ${VERSION_COLUMNS} from versions where source_id = $1 and label = $2`;

const SCHEDULED = 'due_at is not null order by due_at, id limit $1';
const selectLiveRun = `select id from runs where source_id = $1 and ended_at is null`;
const nameTaken = `select id from sources where name = $2 and id <> $1`;
const crawlFromWeb = `update sources set kind = 'web', start_url = $2, machine = null where id = $1`;
const changeSource = `update sources set name = $2, settings = $3 where id = $1`;
/** Webhooks name the source whose changes they want. */
const renameForWebhooks = `update webhooks set source = $2 where source = (select name from sources where id = $1)`;
const setSchedule = `update sources set due_at = now_ms() + $2 where id = $1`;

const selectSiteProfile = `select site_profile from versions where id = $1`;
const selectSiteProfiles = batch(
  { id: 'int' },
  `select versions.id, site_profile from versions, {rows} r where versions.id = r.id`,
);
const countSources = `select count(*) as n from sources where removed_at is null`;
const updateDeclaredVersion = `update versions set declared_version = $2 where id = $1`;
const lockSiteProfile = `update versions set site_profile = site_profile where id = $1 returning site_profile`;
const updateSiteProfile = `update versions set site_profile = $2 where id = $1`;
const selectFile = `select url, encoding, bytes from discovery_files where version_id = $1 and name = $2`;
const upsertFile = `insert into discovery_files (version_id, name, url, encoding, bytes, saved_at) values ($1, $2, $3, $4, $5, now_ms())
  on conflict (version_id, name) do update set url = excluded.url, encoding = excluded.encoding, bytes = excluded.bytes, saved_at = excluded.saved_at`;

interface FileRow {
  readonly url: PageUrl;
  readonly encoding: StoredBody['encoding'];
  readonly bytes: Uint8Array;
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
      parts.announcer.announce('runs');
      return { source: await addedSource(from, definition.name), run: toRun(row) };
    },
    byName: (name) => byName(from, name),
    byId: async (id) => (await sourcesById(from, [id]))[0] ?? null,
    byIds: (ids) => sourcesById(from, ids),
    list: createSourceDirectory(from),
    async count() {
      const [row] = await engine.reader.all<{ n: number }>(countSources);
      return row?.n ?? 0;
    },
    scheduled: (limit) => readSources(from, SCHEDULED, [limit]),
    change: (source, change) => engine.transaction((tx) => applyChange(tx, source, change)),
    due: (limit) => readSources(from, `due_at <= now_ms() and ${SCHEDULED}`, [limit]),
    addVersion: (source, label) => addVersion(engine, source, label),
    removeVersion: (version) => removeVersion(engine, parts, version),
    remove: (source) => removeSource(engine, parts, source),
    finishRemovals: () => finishRemovals(engine, parts),
    async siteProfile(version) {
      const [row] = await engine.reader.all<{ site_profile: string }>(selectSiteProfile, [version]);
      return row === undefined ? {} : jsonObject(row.site_profile);
    },
    async changeSiteProfile(version, change) {
      await engine.transaction(async (tx) => {
        const [row] = await tx.all<{ site_profile: string }>(lockSiteProfile, [version]);
        if (row !== undefined)
          await tx.all(updateSiteProfile, [version, jsonText(change(jsonObject(row.site_profile)))]);
      });
    },
    siteProfiles: (versions) => readSiteProfiles(engine, versions),
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

async function readSiteProfiles(engine: Engine, of: readonly VersionId[]): Promise<ReadonlyMap<VersionId, JsonObject>> {
  const rows = await engine.reader.each<{ id: number; site_profile: string }>(
    selectSiteProfiles,
    of.map((version) => [version]),
  );
  return new Map(rows.map((row) => [row.id as VersionId, jsonObject(row.site_profile)]));
}

async function addVersion(engine: Engine, source: SourceId, label: string): Promise<Version> {
  const [row] = await engine.transaction(async (tx) => {
    if (!(await lockSource(tx, source))) return [];
    await tx.all(insertFurtherVersion, [source, label]);
    return tx.all<VersionRow>(selectLabelled, [source, label]);
  });
  if (row === undefined) throw pinakesError('source.unknown', { source: `with the id ${source}` });
  return versionOf(row);
}

interface NewSource extends SourceDefinition {
  readonly machine: string | null;
  readonly due: Schedule | undefined;
}

/** Returns the id of its version. */
async function addSource(tx: Executor, source: NewSource, label: string): Promise<number> {
  const { name, kind, startUrl, settings, due, machine } = source;
  const values = [name, kind, startUrl, jsonText(settings), due?.afterMs ?? null, machine];
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
  if (!(await lockSource(tx, source))) throw pinakesError('source.unknown', { source: name });
  const [run] = isAllowedDuringRun ? [] : await tx.all<{ id: number }>(selectLiveRun, [source]);
  if (run !== undefined) throw pinakesError('source.busy', { source: name, run: run.id });
  if ((await tx.all(nameTaken, [source, name])).length > 0) throw pinakesError('source.exists', { source: name });
  await tx.all(renameForWebhooks, [source, name]);
  await tx.all(changeSource, [source, name, jsonText(settings)]);
  if (crawlFrom !== undefined) await tx.all(crawlFromWeb, [source, crawlFrom]);
  if (due !== null) await tx.all(setSchedule, [source, due.afterMs]);
}

async function byName(from: SourceReader, name: string): Promise<Source | null> {
  return (await readSources(from, 'name = $1', [name]))[0] ?? null;
}
