// What a user who makes a mistake is told: the name that was typed, what was done about it, and the command to run next.

import { rmSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ActionDeps } from '../../../src/actions/action.ts';
import { addSource } from '../../../src/actions/add-source.ts';
import { importBundle } from '../../../src/actions/import-bundle.ts';
import { removeSource } from '../../../src/actions/remove-source.ts';
import { exportDefinitions } from '../../../src/actions/source-definitions.ts';
import { pinakesError, type PinakesError } from '../../../src/core/model/errors.ts';
import { openFileWriter } from '../../../src/platform/user-files.ts';
import type { CliRuntime } from '../../../src/serve/cli/cli-runtime.ts';
import type { CommandLibrary } from '../../../src/serve/call-action.ts';
import { confirmRemoval } from '../../../src/serve/cli/confirm-removal.ts';
import { renderNotices, renderResult } from '../../../src/serve/cli/render/render-answer.ts';
import type { Store } from '../../../src/store/port.ts';
import { actionDeps } from '../../support/run-worker.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../../support/run-fixture.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

async function withStore<T>(use: (store: Store, deps: ActionDeps) => Promise<T>): Promise<T> {
  const { store, close } = await openTestSqlite();
  try {
    return await use(store, actionDeps(store));
  } finally {
    await close();
  }
}

test('a second run of a source is refused with the name of the source (finding T2.9)', () =>
  withStore(async (store) => {
    const { source } = await createRunFixture(store);
    const again = store.runs.start(source.versions[0]!.id, 'incremental', {});
    await expect(again).rejects.toMatchObject({ code: 'source.busy', details: { source: source.name, run: 1 } });
  }));

test('a URL without a scheme is answered with the URL that was meant (finding T2.9)', async () => {
  const input = addSource.input.parse({ url: 'fastify.dev' });
  const refused = await addSource.check!(input, () => false).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'url.invalid', nextStep: 'Include the scheme, as in https://fastify.dev' });
});

test('the page of a repository is recognised, with how to add its files (finding T17)', async () => {
  const input = addSource.input.parse({ url: 'https://github.com/fastify/fastify/tree/main/docs' });
  const rejected = await addSource.check!(input, () => false).catch((error: unknown) => error);
  expect(rejected).toMatchObject({ code: 'url.repository' });
  expect((rejected as PinakesError).nextStep).toContain(
    "pinakes add 'git+https://github.com/fastify/fastify#main:docs'",
  );
});

test('the name of a package is answered with its folder, or how to find its documentation (finding T7)', async () => {
  const addName = (url: string, exists: (path: string) => boolean): Promise<unknown> =>
    addSource.check!(addSource.input.parse({ url }), exists).catch((error: unknown) => error);
  const installed = await addName('@scope/kit', (path) => path === 'node_modules/@scope/kit');
  expect(installed).toMatchObject({ code: 'files.package-installed' });
  expect((installed as PinakesError).nextStep).toMatch(/pinakes add node_modules\/@scope\/kit.*pinakes sync/);
  expect(await addName('fastify', () => false)).toMatchObject({ code: 'files.bare-name' });
  expect(await addName('docs/missing.md', () => false)).toMatchObject({ code: 'files.unreadable' });
});

test('a start URL that another source has is reported (finding T20)', () =>
  withStore(async (_, deps) => {
    const add = (name: string) => addSource.run(addSource.input.parse({ url: 'https://x.dev/docs/', name }), deps);
    expect(renderNotices('add_source', await add('docs'))).toBe('');
    expect(renderNotices('add_source', await add('again'))).toBe(
      'Note: The source docs starts at the same URL, so the same pages are stored twice.\n',
    );
  }));

test('the error about an archive names the command that indexes it (finding T2.9)', () =>
  withStore(async (_, deps) => {
    const file = join(folder, 'src.zip');
    writeFileSync(file, Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]));
    await expect(importBundle.run({ file }, deps)).rejects.toThrow(`pinakes add ${file}`);
  }));

test('the error about an existing file names only flags of the command (finding T2.9)', () => {
  expect(pinakesError('export.refused', { path: 'a.db', reason: 'the file already exists' }).nextStep).toBe(
    'Choose another file',
  );
});

test('credentials in a URL are dropped, and the user is told how to send them (finding T2.10)', () =>
  withStore(async (store, deps) => {
    const added = await addSource.run(addSource.input.parse({ url: 'https://reader:tulip@docs.example.dev/' }), deps);
    expect((await store.sources.list())[0]).toMatchObject({ startUrl: 'https://docs.example.dev/' });
    const reported = renderNotices('add_source', added);
    expect(reported).toContain('were not stored');
    expect(reported).toContain('PINAKES_FETCH_SECRETS=DOCS_LOGIN@https://docs.example.dev');
    expect(reported).toContain("--headers 'Authorization: Basic {DOCS_LOGIN}'");
    expect(reported).not.toContain('tulip');
  }));

test('a removal says how much was removed (finding T2.11)', () =>
  withStore(async (store, deps) => {
    const { source } = await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store);
    await store.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, claim.url))));
    const removed = await removeSource.run({ source: source.name }, deps);
    expect(renderResult('remove_source', removed)).toBe(`Removed ${source.name}: 2 pages with 2 chunks.\n`);
  }));

const answering = (answer: string | null): CliRuntime & { readonly requested: string[] } => {
  const requested: string[] = [];
  const prompt = async (question: string): Promise<string> => {
    requested.push(question);
    return answer ?? '';
  };
  return { requested, prompt: answer === null ? null : prompt, err: () => undefined } as never;
};

const libraryWith = (endedAt: string | null): CommandLibrary =>
  ({ call: async () => ({ runs: [{ run: 7, endedAt }] }) }) as never;

test('a removal is asked for on a terminal, and only then (finding T2.11)', async () => {
  const idle = libraryWith('2026-01-01T00:00:00.000Z');
  const yes = answering('y');
  expect(await confirmRemoval(idle, { source: 'docs', project: undefined }, yes)).toBe(true);
  expect(yes.requested).toEqual(['Remove docs with its pages and history? [y/N] ']);
  expect(await confirmRemoval(idle, { source: 'docs', project: undefined }, answering(''))).toBe(false);
  expect(await confirmRemoval(idle, { source: 'docs', project: undefined }, answering(null))).toBe(true);
});

test('a removal during a run needs --yes without a terminal (finding T2.11)', async () => {
  const busy = libraryWith(null);
  const yes = answering('yes');
  expect(await confirmRemoval(busy, { source: 'docs', project: undefined }, yes)).toBe(true);
  expect(yes.requested[0]).toContain('Its run 7 is in progress');
  await expect(confirmRemoval(busy, { source: 'docs', project: undefined }, answering(null))).rejects.toThrow(
    'Add --yes',
  );
});

test('a new token is the only thing on stdout (finding T3.6)', () => {
  const created = { name: 'ci', role: 'read', token: 'pnk_secret' };
  expect(renderResult('create_token', created)).toBe('pnk_secret\n');
  expect(renderNotices('create_token', created)).toBe('This is the read token ci. It is shown only once.\n');
});

test('- writes definitions to stdout, and an export replaces no file (finding T3.8)', () =>
  withStore(async (_, deps) => {
    expect(await exportDefinitions.run({ out: '-' }, deps)).toEqual({ sources: [], out: null });
    const file = join(folder, 'docs.zip');
    writeFileSync(file, 'mine');
    await expect(openFileWriter(file, 'create')).rejects.toThrow('--force');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const sink = await openFileWriter(file, 'replace');
    await sink.commit();
    expect(readFileSync(file, 'utf8')).toBe('');
  }));
