// Sources whose pages are files: their start is a path, or the name of a repository or of a package.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionOutput } from '../../../src/actions/actions.ts';
import { commitId, startForge, type Forge } from '../../support/forge.ts';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

let forge: Forge;
let server: TestServer;
beforeAll(async () => {
  forge = await startForge();
  const commit = commitId('a');
  const text = '# Pot\n\nHow a pot is filled with water, and emptied again after some time.\n';
  forge.repositories['tea/pot'] = { refs: { HEAD: commit }, commits: { [commit]: { files: { 'docs/pot.md': text } } } };
  server = await startTestServer({}, async (library) => {
    await addFiles(library, 'guide', { 'a.md': '# Pool\n\nA pool of connections.\n' });
    await library.call('add_source', { url: `git+${forge.url}/tea/pot`, name: 'pot' });
  });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await forge.close();
});

const get = async <Output>(path: string, method = 'GET'): Promise<Output> =>
  (await fetch(server.url + path, { method })).json() as Promise<Output>;

test('their pages are analyzed, and their coverage is measured (finding Y6)', async () => {
  await waitUntil('the repository is read', async () => {
    const { runs } = await get<ActionOutput<'crawl_status'>>('/api/runs/pot');
    return runs[0]?.endedAt !== null;
  });
  const { apiUrl } = await get<ActionOutput<'start_analysis'>>('/api/analysis/start', 'POST');
  await waitUntil('the analysis has ended', async () => {
    const { run } = await get<ActionOutput<'show_analysis'>>(apiUrl);
    return run.endedAt !== null;
  });
  const { run } = await get<ActionOutput<'show_analysis'>>(apiUrl);
  expect(run).toMatchObject({ status: 'completed', error: null, summary: { steps: { pages: { processed: 2 } } } });
  for (const source of ['guide', 'pot'])
    expect(await get(`/api/sources/${source}/coverage`)).toMatchObject({ source, promised: 0, coverage: 1 });
});
