import { expect, test } from 'vitest';
import { requestOf } from './action-requests.ts';

test.each([
  ['search_docs', { query: 'a b', limit: 3 }, ['GET', '/api/search?query=a+b&limit=3', null]],
  ['crawl_status', { limit: 5 }, ['GET', '/api/runs?limit=5', null]],
  ['crawl_status', { run: 'docs', brief: true }, ['GET', '/api/runs/docs?brief=true', null]],
  ['control_run', { run: '7', command: 'pause' }, ['POST', '/api/runs/7/pause', '{}']],
  ['remove_source', { source: 'a/b' }, ['DELETE', '/api/sources/a%2Fb', null]],
  ['preview_page', { url: 'https://x.dev/' }, ['POST', '/api/preview', '{"url":"https://x.dev/"}']],
] as const)('%s of %o is one request', (action, input, [method, url, body]) => {
  expect(requestOf(action, input)).toEqual({ method, url, body });
});

test('an action that needs local files is not available on a server', () => {
  expect(() => requestOf('export_source', { source: 'a' })).toThrow('not available on a server');
});
