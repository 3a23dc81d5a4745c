// An uncaught exception in the crawl thread: the process survives, the thread is started again, and the page that causes it is given up.

import { expect, test, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { start } from '../../support/program.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

vi.setConfig({ testTimeout: 180_000 });

test('a crawl thread that crashes is started again and counted, and the other pages are crawled (finding V01)', async () => {
  const paths = ['/docs/a', '/docs/deadly', '/docs/b'];
  const site = await startDocSite({
    '/docs/': docPage('the start', paths),
    ...Object.fromEntries(paths.map((path) => [path, docPage(`page ${path}`)])),
  });
  const port = await freePort();
  const preload = new URL('./preload/throw-on-page.ts', import.meta.url).href;
  const env = {
    PINAKES_DATA_DIR: temporaryDirectory(),
    PINAKES_SERVE_PORT: String(port),
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: new URL(site.origin).port,
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_LEASE_MS: '1500',
    PINAKES_CRAWL_RENEW_MS: '400',
    PINAKES_CRAWL_RETRY_BASE_MS: '100',
    NODE_OPTIONS: `--import ${preload}`,
    FAULT_DEADLY_PATH: '/docs/deadly',
  };
  const server = start(env, ['serve']);
  const url = `http://127.0.0.1:${port}`;
  const get = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
  await waitUntil('the server serves', () => get('/healthz').then(Boolean, () => false));
  const body = JSON.stringify({ url: `${site.origin}/docs/`, name: 'docs', preset: 'basic' });
  await fetch(`${url}/api/sources`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  let run: { state: string; counts: Record<string, number> } | undefined;
  await waitUntil(
    'the run has ended',
    async () => {
      const { runs } = JSON.parse(await get('/api/runs')) as { runs: ReadonlyArray<NonNullable<typeof run>> };
      run = runs[0];
      return run?.state === 'partial';
    },
    120_000,
  );
  expect(run?.counts).toMatchObject({ new: 3, failed: 1 });
  expect(await get('/metrics')).toMatch(/^pinakes_crawl_thread_restarts_total [1-9]/m);
  server.kill('SIGTERM');
  const ended = await server.ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('the crawl thread crashed and is started again');
  await site.close();
});
