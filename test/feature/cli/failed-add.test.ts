// What a user reads after a first crawl that failed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { docPage, startDocSite, status, type DocSite } from '../../support/scripted-site.ts';
import { createLibrary, type Library } from '../../support/library.ts';

let site: DocSite;
let library: Library;

beforeAll(async () => {
  const urls = Array.from({ length: 20 }, (_, i) => `<url><loc>/docs/${i}</loc></url>`);
  site = await startDocSite({
    '/docs/': docPage('the start'),
    '/sitemap.xml': `<urlset>${urls.join('')}</urlset>`,
    '/shell/': '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>',
    '/private/': status(401),
    '/checked/': status(403, { 'cf-mitigated': 'challenge' }),
  });
  library = await createLibrary('sqlite', { PINAKES_CRAWL_RETRY_BASE_MS: '1' });
});
afterAll(async () => {
  await site.close();
  await library.remove();
});

test.each([
  ['/nope/', 'does not exist. Check the URL', 'T2.5'],
  ['/private/', "requires a login. Pass it as a header: --headers 'Authorization: Bearer {DOCS_TOKEN}'", 'T2.7'],
  ['/checked/', 'responds with a bot check', 'T2.7'],
])('a start that cannot be crawled (%s) is explained: %s (finding %s)', async (path, explanation) => {
  const added = await library.run('add', `${site.origin}${path}`, '--name', path.replaceAll('/', ''), '--wait');
  expect(added.stdout + added.stderr).toContain(explanation);
  expect(added.code).not.toBe(0);
});

test('a port that nothing listens on is explained (finding T2.5)', async () => {
  const added = await library.run('add', 'http://127.0.0.1:8099/docs/', '--name', 'dead', '--wait');
  expect(added.stdout + added.stderr).toContain('nothing listens at 127.0.0.1:8099. Check the host and the port');
});

test('the problems of a failed run say why it failed (finding T2.6)', async () => {
  const { stdout } = await library.run('problems', 'nope');
  expect(stdout).toContain(`${site.origin}/nope/ does not exist. Check the URL`);
});

test.each([
  ['/nope/', 'The start page cannot be stored: ', 'does not exist. Check the URL'],
  ['/private/', 'The start page cannot be stored: ', 'requires a login'],
  ['/shell/', 'The start page is empty without a browser: ', 'Set render.browser'],
  [':8099/docs/', 'The site cannot be reached: ', 'Check the host and the port'],
])('a plan that would store nothing (%s) says so first and fails (finding T5)', async (path, title, advice) => {
  const url = path.startsWith(':') ? `http://127.0.0.1${path}` : site.origin + path;
  const { code, stdout } = await library.run('plan', url);
  expect(stdout.startsWith(title)).toBe(true);
  expect(stdout).toContain(advice);
  expect(stdout).not.toContain('Http:');
  expect(stdout).toContain('A crawl would store nothing.');
  expect(code).toBe(1);
});

test('problems, list and health name every source that failed, and why (finding T3)', async () => {
  const why = `${site.origin}/nope/ does not exist. Check the URL`;
  const problems = await library.run('problems');
  expect(problems.stdout).toContain(why);
  expect(problems.stdout).toContain(`${site.origin}/private/ requires a login`);
  const errors = await library.run('problems', '--kind', 'run-failed', '--severity', 'error');
  expect(errors.stdout.match(/run \d+ {2}error/g)).toHaveLength(4);
  const listed = await library.run('list');
  expect(listed.stdout).toContain(`nope: ${why}`);
  const health = await library.run('health');
  expect(health.stdout).toContain('Sources    4, 4 failed');
  expect(health.stdout).toContain('The latest run of 4 of 4 sources failed: checked, dead, nope, private.');
});

test('after a failed add the next step is to crawl again or to remove the source (finding T1.16)', async () => {
  const again = await library.run('add', `${site.origin}/nope/`, '--name', 'nope');
  expect(again.stderr).toContain('The source nope already exists and has no pages: its last run ended as failed');
  expect(again.stderr).toContain('pinakes recrawl nope');
  const crawled = await library.run('recrawl', 'nope', '--wait');
  expect(crawled.stdout + crawled.stderr).toContain('Remove it: pinakes remove nope');
});
