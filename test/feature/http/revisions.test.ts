// The revisions of a page, by each way to name it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, (library) =>
    addFiles(library, 'guide', { 'docs/a.md': '# Pool\n\nA pool of connections.\n' }),
  );
});
afterAll(() => server.stop());

const revisionsOf = (page: string): Promise<Response> =>
  fetch(`${server.url}/api/sources/guide/page/revisions?url=${encodeURIComponent(page)}`);

test.each(['docs/a.md', '/docs/a.md', 'file:///docs/a.md'])('a page is named by %s', async (page) => {
  const response = await revisionsOf(page);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ url: 'file:///docs/a.md', changes: [], removed: null });
});

test('a page that never was is unknown', async () => {
  const response = await revisionsOf('docs/b.md');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'page.unknown' } });
});
