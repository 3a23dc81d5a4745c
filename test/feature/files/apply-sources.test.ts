// A file declares the sources of the library: the plan is what is done, and doing it again changes nothing.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDefinitions } from '../../../src/actions/apply-definitions.ts';
import { exportDefinitions } from '../../../src/actions/source-definitions.ts';
import { removeSource } from '../../../src/actions/remove-source.ts';
import type { Store } from '../../../src/store/port.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { actionDeps } from '../../support/run-worker.ts';
import { createLocalFolder } from '../../support/local-folder.ts';

const NOTHING = { added: [], changed: [], replaced: [], removed: [], undeclared: [], unchanged: [] };

async function apply(store: Store, text: string, options: { prune?: boolean; dryRun?: boolean; name?: string } = {}) {
  const { name = 'sources.yaml', ...flags } = options;
  const file = join(createLocalFolder({ [name]: text, 'docs/a.md': '# A\n' }), name);
  return applyDefinitions.run(applyDefinitions.input.parse({ file, ...flags }), actionDeps(store));
}

const FIRST = `
sources:
  - name: alpha
    startUrl: https://alpha.example/docs/
    settings: { maxPages: 50, every: 1d }
  - { name: beta, startUrl: 'https://beta.example/' }
`;
const SECOND = FIRST.replace('50', '60').replace('beta', 'gamma').replace('beta.example', 'gamma.example');

describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s', (_, open) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const definitions = async (): Promise<unknown> => (await exportDefinitions.run({}, actionDeps(opened.store))).sources;

  test('[E4] sources of a file are added, changed and, on request, removed', async () => {
    const { store } = opened;
    const planned = await apply(store, FIRST, { dryRun: true });
    expect(planned.added.map(({ source, run }) => [source, run])).toEqual([
      ['alpha', null],
      ['beta', null],
    ]);
    expect(await definitions()).toEqual([]);

    const first = await apply(store, FIRST);
    expect(first.added.map(({ source, run }) => [source, run !== null])).toEqual([
      ['alpha', true],
      ['beta', true],
    ]);
    expect(await apply(store, FIRST, { prune: true })).toEqual({
      ...NOTHING,
      isDryRun: false,
      unchanged: ['alpha', 'beta'],
    });

    await endRuns(store);
    const retained = await apply(store, SECOND);
    expect(retained).toMatchObject({ changed: [{ source: 'alpha', settings: ['maxPages'] }], undeclared: ['beta'] });
    const before = await definitions();
    const pruning = await apply(store, SECOND, { prune: true, dryRun: true });
    expect(pruning).toEqual({ ...NOTHING, isDryRun: true, removed: ['beta'], unchanged: ['alpha', 'gamma'] });
    expect(await definitions()).toEqual(before);
    expect(await apply(store, SECOND, { prune: true })).toEqual({ ...pruning, isDryRun: false });
    expect(await definitions()).toEqual([
      {
        name: 'alpha',
        startUrl: 'https://alpha.example/docs/',
        versions: [''],
        settings: { every: '1d', maxPages: 60 },
      },
      { name: 'gamma', startUrl: 'https://gamma.example/', versions: [''], settings: {} },
    ]);
    expect((await store.sources.byName('alpha'))?.dueAt).not.toBeNull();
  });

  test('[E4] what the library exports applies without a change', async () => {
    const text = JSON.stringify({ sources: await definitions() });
    expect(await apply(opened.store, text, { prune: true, name: 'sources.json' })).toMatchObject({
      ...NOTHING,
      unchanged: ['alpha', 'gamma'],
    });
  });

  test('[E4] a source that starts elsewhere is replaced only on request', async () => {
    const moved = SECOND.replace('gamma.example', 'delta.example');
    await expect(apply(opened.store, moved)).rejects.toThrow('gamma starts at https://gamma.example/');
    expect(await apply(opened.store, moved, { prune: true })).toMatchObject({
      replaced: [{ source: 'gamma', startUrl: 'https://delta.example/' }],
      unchanged: ['alpha'],
    });
  });

  test('[E4] a folder is relative to the file, and a faulty file changes nothing', async () => {
    const { store } = opened;
    const before = await definitions();
    for (const [wrong, why] of [
      ['sources: [{ name: a }]', 'sources.0.startUrl'],
      ['sources: [{ name: a, startUrl: x.dev, settings: { maxPags: 3 } }]', 'maxPags'],
      [`${FIRST}${FIRST.slice(FIRST.indexOf('  - {'))}`, 'declared twice'],
      ['sources: [{', 'not YAML'],
    ] as const)
      await expect(apply(store, wrong, { prune: true })).rejects.toThrow(why);
    expect(await definitions()).toEqual(before);
    const { added } = await apply(store, 'sources: [{ name: notes, startUrl: ./docs }]');
    expect(added[0]?.startUrl).toMatch(/\/docs$/);
    await removeSource.run({ source: 'notes' }, actionDeps(store));
  });
});

/** Settings of a crawl change only between runs. */
async function endRuns({ runs }: Store): Promise<void> {
  for (let lease = await runs.lease('worker', 60_000); lease !== null; lease = await runs.lease('worker', 60_000))
    await runs.finish(lease, 'completed', null);
}
