// Projects, and the versions of packages that each of them uses.

import type { VersionId } from '../../../core/model/run.ts';
import type { Projects } from '../../port.ts';
import { batch, type Engine } from '../engine/engine.ts';

/** Locks the version: of two projects that begin to use it at the same time, the second sees the first. No trigger reads the column. */
const lockVersion = `update versions set urls = urls where id = $1 returning id`;
const selectOther = `select folder from project_versions where version_id = $1 and folder <> $2 and content <> $3 order by folder limit 1`;
const insert = `insert into project_versions (folder, version_id, content) values ($1, $2, $3)
  on conflict (folder, version_id) do update set content = excluded.content`;
const selectAll = `select folder, version_id, content from project_versions order by folder, version_id`;
const selectVersions = `select version_id from project_versions where folder = $1`;
const forget = batch(
  { version_id: 'int' },
  `delete from project_versions where folder = $1 and version_id in (select r.version_id from {rows} r)`,
  ['text'],
);
const remove = `delete from project_versions where folder = $1`;

export function createProjects(engine: Engine): Projects {
  return {
    use: (folder, version, content) =>
      engine.transaction(async (tx) => {
        const [locked] = await tx.all(lockVersion, [version]);
        if (locked === undefined) return null;
        const [other] = await tx.all<{ folder: string }>(selectOther, [version, folder, content]);
        if (other === undefined) await tx.all(insert, [folder, version, content]);
        return other?.folder ?? null;
      }),
    keep: (folder, versions) =>
      engine.transaction(async (tx) => {
        const current = new Set<number>(versions);
        const used = await tx.all<{ version_id: number }>(selectVersions, [folder]);
        const others = used.filter(({ version_id: version }) => !current.has(version));
        await tx.each(
          forget,
          others.map(({ version_id: version }) => [version]),
          [folder],
        );
      }),
    async list() {
      const rows = await engine.reader.all<{ folder: string; version_id: number; content: string }>(selectAll);
      const byFolder = Map.groupBy(rows, ({ folder }) => folder);
      return Array.from(byFolder, ([folder, own]) => ({
        folder,
        versions: own.map(({ version_id: version }) => version as VersionId),
        contents: new Map(own.map(({ version_id: version, content }) => [version as VersionId, content])),
      }));
    },
    async remove(folder) {
      await engine.transaction((tx) => tx.all(remove, [folder]));
    },
  };
}
