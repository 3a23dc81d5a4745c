// Projects, and the versions of packages that each of them uses.

import type { VersionId } from '../../../core/model/run.ts';
import type { Projects } from '../../port.ts';
import { batch, type Engine } from '../engine/engine.ts';

const insert = batch(
  { version_id: 'int' },
  `insert into project_versions (folder, version_id) select $1, v.id from versions v, {rows} r where v.id = r.version_id on conflict do nothing`,
  ['text'],
);
const selectAll = `select folder, version_id from project_versions order by folder, version_id`;
const remove = `delete from project_versions where folder = $1`;

export function createProjects(engine: Engine): Projects {
  return {
    save: (folder, versions) =>
      engine.transaction(async (tx) => {
        await tx.all(remove, [folder]);
        await tx.each(
          insert,
          versions.map((version) => [version]),
          [folder],
        );
      }),
    async list() {
      const rows = await engine.reader.all<{ folder: string; version_id: number }>(selectAll);
      const byFolder = Map.groupBy(rows, ({ folder }) => folder);
      return Array.from(byFolder, ([folder, own]) => ({
        folder,
        versions: own.map(({ version_id: version }) => version as VersionId),
      }));
    },
    async remove(folder) {
      await engine.transaction((tx) => tx.all(remove, [folder]));
    },
  };
}
