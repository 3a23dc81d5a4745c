import { expect, test } from 'vitest';
import { requestOf } from './remote-library.ts';

test.each([
  ['search_docs', { query: 'a b', limit: 3 }, ['GET', '/api/search?query=a+b&limit=3', null]],
  ['crawl_status', { limit: 5 }, ['GET', '/api/runs?limit=5', null]],
  ['crawl_status', { run: 'docs', brief: true }, ['GET', '/api/runs/docs?brief=true', null]],
  ['control_run', { run: '7', wish: 'pause' }, ['POST', '/api/runs/7/pause', '{}']],
  ['remove_source', { source: 'a/b' }, ['DELETE', '/api/sources/a%2Fb', null]],
  ['preview_page', { url: 'https://x.dev/' }, ['POST', '/api/preview', '{"url":"https://x.dev/"}']],
] as const)('%s of %o is one request', (action, given, [method, url, body]) => {
  expect(requestOf(action, given)).toEqual({ method, url, body });
});

test('what concerns a disk is not asked of a server', () => {
  expect(() => requestOf('export_source', { source: 'a' })).toThrow('not offered');
});
