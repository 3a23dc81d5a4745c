// Store contract: sources with several versions, and projects that use some of them.

import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';

export function projectsContract(store: () => Store): void {
  test('a source has several versions, each once', async () => {
    const { source } = await createRunFixture(store());
    const added = await store().sources.addVersion(source.id, '4.0.0');
    expect(await store().sources.addVersion(source.id, '4.0.0')).toEqual(added);
    const found = await store().sources.byName(source.name);
    expect(found?.versions.map(({ label }) => label)).toEqual([source.versions[0]?.label, '4.0.0']);
  });

  test('a version is removed with its run, and its source stays', async () => {
    const { source, run } = await createRunFixture(store());
    const other = await store().sources.addVersion(source.id, '4.0.0');
    for (const version of [run.version, other.id]) await store().projects.use('/work/app', version, 'content');
    await store().sources.removeVersion(run.version);
    await store().sources.removeVersion(run.version);
    expect((await store().sources.list()).map(({ name, versions }) => [name, versions])).toEqual([
      [source.name, [other]],
    ]);
    expect(await store().runs.byId(run.id)).toBeNull();
    expect(await store().projects.list()).toMatchObject([{ folder: '/work/app', versions: [other.id] }]);
    expect(await store().verify()).toEqual([]);
    const next = await store().runs.start(other.id, 'incremental', {});
    expect(next.source).toBe(source.id);
  });

  test('the list of sources follows every change, and its versions say whether they have pages', async () => {
    const { source, run } = await createRunFixture(store(), ['https://x.dev/a']);
    const { sources } = store();
    const listed = async () => (await sources.list()).map(({ name, versions }) => ({ name, versions }));
    const [version] = source.versions;
    expect(await listed()).toEqual([{ name: source.name, versions: [{ ...version, hasPages: false }] }]);
    // Each process has its own, however many of them answer in turn.
    const lists = [await sources.list(), await sources.list(), await sources.list()];
    expect(new Set(lists).size).toBeLessThan(lists.length);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'text'))]);
    await sources.saveDeclaredVersion(run.version, '2.1');
    const indexed = { ...version, hasPages: true, declaredVersion: '2.1' };
    expect(await listed()).toEqual([{ name: source.name, versions: [indexed] }]);
    const change = { settings: {}, due: { afterMs: 60_000 }, isAllowedDuringRun: true };
    await sources.change(source.id, { ...change, name: 'renamed' });
    const first = { name: 'another', kind: 'web', startUrl: 'https://y.dev/', settings: {} } as const;
    const added = await sources.add(first, '1.0');
    expect(await listed()).toEqual([
      { name: 'another', versions: added.versions },
      { name: 'renamed', versions: [indexed] },
    ]);
    expect((await sources.list())[1]?.dueAt).toEqual((await sources.scheduled(5))[0]?.dueAt);
    expect(await sources.byIds([source.id])).toEqual([(await sources.list())[1]]);
    await sources.remove(source.id);
    expect((await sources.list()).map(({ name }) => name)).toEqual(['another']);
    expect(await sources.byId(source.id)).toBeNull();
    expect(await sources.count()).toBe(1);
  });

  test('what a project no longer uses is forgotten, and versions that are gone are left out', async () => {
    const { source, run } = await createRunFixture(store());
    const { projects } = store();
    const other = await store().sources.addVersion(source.id, '4.0.0');
    for (const version of [run.version, other.id]) expect(await projects.use('/b', version, 'one')).toBeNull();
    await projects.use('/a', run.version, 'one');
    await projects.use('/a', (other.id + 1000) as typeof other.id, 'one');
    await projects.keep('/b', [run.version]);
    const contents = new Map([[run.version, 'one']]);
    expect(await projects.list()).toEqual([
      { folder: '/a', versions: [run.version], contents },
      { folder: '/b', versions: [run.version], contents },
    ]);
    await projects.keep('/b', []);
    await projects.remove('/a');
    expect(await projects.list()).toEqual([]);
  });

  test('projects that use a version have the same content of it, even if they begin at the same time', async () => {
    const { source, run } = await createRunFixture(store());
    const { projects } = store();
    await projects.use('/a', run.version, 'one');
    expect(await projects.use('/b', run.version, 'two')).toBe('/a');
    expect(await projects.use('/b', run.version, 'one')).toBeNull();
    expect(await projects.use('/a', run.version, 'two')).toBe('/b');
    await projects.remove('/b');
    expect(await projects.use('/a', run.version, 'two')).toBeNull();
    const { id } = await store().sources.addVersion(source.id, '4.0.0');
    const began = ['/a', '/b', '/c', '/d'].map((folder) => projects.use(folder, id, folder));
    expect((await Promise.all(began)).filter((other) => other === null)).toHaveLength(1);
  });
}
