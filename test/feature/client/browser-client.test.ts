// The client outside Node: bundled for a page, used by a page of another origin, and run without any API of Node.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type * as clientEntry from '../../../src/client/index.ts';
import { bundle } from '../../support/bundle.ts';
import { startTestServer } from '../../support/test-server.ts';
import { openChromium } from '../../support/dashboard-server.ts';
import { createDocSite } from '../../support/static-sites.ts';

const MAX_GZIPPED_BYTES = 15_000;

test('[K5] the client is a small bundle that imports nothing', async () => {
  const { code, imports } = await bundle('src/client/index.ts', { minify: true });
  expect(imports).toEqual([]);
  expect(code.match(/["'`]node:[a-z/_]+["'`]/g)).toBeNull();
  expect(gzipSync(code).length).toBeLessThan(MAX_GZIPPED_BYTES);
});

test('[K5] the client runs where there is nothing but the web platform, as in an edge runtime', async () => {
  const { code } = await bundle('src/client/index.ts');
  const asked: string[] = [];
  const web = {
    AbortController,
    AbortSignal,
    ReadableStream,
    Response,
    TextDecoder,
    URLSearchParams,
    setTimeout,
    clearTimeout,
  };
  const answer = {
    mode: 'lexical',
    searched: [],
    passages: [],
    tokens: 0,
    next: null,
    corrections: [],
    suggestions: [],
  };
  const context = createContext({
    ...web,
    fetch: async (url: string) => {
      asked.push(url);
      return Response.json(answer);
    },
  });
  // A module as a script: its exports become a value.
  const script = code.replace(/export \{([^}]*)\};?\s*$/, 'globalThis.client = {$1};');
  runInContext(script, context);
  const { connect } = context['client'] as typeof clientEntry;
  expect(await connect({ server: 'https://docs.example' }).search('pool')).toEqual(answer);
  expect(asked).toEqual(['https://docs.example/api/search?query=pool']);
});

test('[K5] a page of an allowed origin searches a server and follows a run', async () => {
  const { code } = await bundle('test/feature/client/page-entry.ts');
  const page = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? code : '<!doctype html><title>x</title><body><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const site = await createDocSite();
  let token = '';
  const server = await startTestServer(
    { PINAKES_FETCH_ALLOW_PORTS: '1024-65535', PINAKES_SERVE_ALLOWED_ORIGINS: origin },
    async (library) => {
      ({ token } = (await library.call('create_token', { name: 'page', role: 'admin' })) as { token: string });
    },
  );
  const browser = await openChromium();
  try {
    const tab = await browser.newPage();
    const inputs = new URLSearchParams({ server: server.url, site: site.url, token });
    await tab.goto(`${origin}/?${inputs.toString()}`);
    const report = await tab.locator('#report').textContent({ timeout: 60_000 });
    expect(JSON.parse(report ?? '')).toEqual({
      state: 'completed',
      kinds: expect.arrayContaining(['run-started', 'new', 'run-ended']) as string[],
      text: expect.stringContaining('thirty seconds') as string,
      refused: 'input.invalid',
    });
    const other = await fetch(`${server.url}/api/sources`, {
      headers: { origin: 'https://evil.example', authorization: `Bearer ${token}` },
    });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  } finally {
    await browser.close();
    await server.stop();
    await site.close();
    page.close();
  }
});
