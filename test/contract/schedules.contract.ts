// Store contract: changes of sources, and scheduled runs.

import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import type { Source, SourceChange } from '../../src/store/port/sources.ts';
import { createRunFixture } from '../support/run-fixture.ts';

const HOUR_MS = 3_600_000;

function add(store: Store, name: string, afterMs: number | null = null): Promise<Source> {
  return store.sources.add({ name, kind: 'web', startUrl: 'https://x.dev/', settings: {} }, '', { afterMs });
}

const change = (more: Partial<SourceChange>): SourceChange => ({
  name: 'docs',
  settings: {},
  due: null,
  isAllowedDuringRun: false,
  ...more,
});

export function schedulesContract(store: () => Store): void {
  test('a change of a source is stored', async () => {
    const { id } = await add(store(), 'docs');
    await store().sources.change(id, change({ name: 'handbook', settings: { exclude: ['/blog/**'] } }));
    expect(await store().sources.byName('docs')).toBeNull();
    expect(await store().sources.byName('handbook')).toMatchObject({ id, settings: { exclude: ['/blog/**'] } });
  });

  test('a name in use is rejected, and nothing is changed', async () => {
    const { id } = await add(store(), 'docs');
    await add(store(), 'other');
    await expect(
      store().sources.change(id, change({ name: 'other', settings: { maxDepth: 1 } })),
    ).rejects.toMatchObject({ code: 'source.exists' });
    expect(await store().sources.byName('docs')).toMatchObject({ settings: {} });
  });

  test('settings that a live run reads cannot be changed; the name can', async () => {
    const { source, run } = await createRunFixture(store());
    await expect(store().sources.change(source.id, change({}))).rejects.toMatchObject({
      code: 'source.busy',
      details: { run: run.id },
    });
    await store().sources.change(source.id, change({ isAllowedDuringRun: true }));
    expect(await store().sources.byName('docs')).toMatchObject({ id: source.id });
  });

  test('a source without an interval is never due', async () => {
    const source = await add(store(), 'docs');
    expect(source.dueAt).toBeNull();
    expect(await store().sources.due(10)).toEqual([]);
    expect(await store().runs.startDue(source.versions[0]!.id, HOUR_MS)).toBeNull();
  });

  test('due sources are listed, the longest overdue first', async () => {
    await add(store(), 'late', -1000);
    await add(store(), 'later', -2000);
    const soon = await add(store(), 'soon', HOUR_MS);
    expect((await store().sources.due(10)).map(({ name }) => name)).toEqual(['later', 'late']);
    expect((await store().sources.due(1)).map(({ name }) => name)).toEqual(['later']);
    const inMs = (soon.dueAt?.getTime() ?? 0) - Date.now();
    expect(Math.abs(inMs - HOUR_MS)).toBeLessThan(60_000);
  });

  test('of many concurrent callers, one starts the due run', async () => {
    const source = await add(store(), 'docs', -1000);
    const version = source.versions[0]!.id;
    const started = await Promise.all(Array.from({ length: 8 }, () => store().runs.startDue(version, HOUR_MS)));
    expect(started.filter((run) => run !== null)).toMatchObject([{ state: 'queued', mode: 'incremental' }]);
    expect(await store().runs.list(10, source.id)).toHaveLength(1);
    expect(await store().sources.due(10)).toEqual([]);
  });

  test('a live run is not started twice, and the next one is scheduled', async () => {
    const { source } = await createRunFixture(store());
    await store().sources.change(source.id, change({ due: { afterMs: -1000 }, isAllowedDuringRun: true }));
    expect(await store().runs.startDue(source.versions[0]!.id, HOUR_MS)).toBeNull();
    expect((await store().sources.byName('docs'))?.dueAt?.getTime()).toBeGreaterThan(Date.now());
  });

  test('a source whose interval is removed is not due', async () => {
    const { id } = await add(store(), 'docs', -1000);
    await store().sources.change(id, change({ due: { afterMs: null } }));
    expect(await store().sources.due(10)).toEqual([]);
  });

  test('a removed source is not due', async () => {
    const { id, versions } = await add(store(), 'docs', -1000);
    await store().sources.remove(id);
    expect(await store().sources.due(10)).toEqual([]);
    expect(await store().runs.startDue(versions[0]!.id, HOUR_MS)).toBeNull();
  });
}
