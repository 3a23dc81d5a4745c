// Sites whose discovery files take a parser or a whole process down. The run goes on without the file, or ends with a problem.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_SITEMAP_LIMITS } from '../../../src/core/discover/sitemap/sitemap-entry.ts';
import { createSitemapReader } from '../../../src/core/discover/sitemap/sitemap.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { MAIN } from '../../support/program.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { runProgram, type Ended } from '../../support/attacked-program.ts';

const root = temporaryDirectory();
const bombText = Buffer.from(`<urlset>${'<url><loc>x:::/</loc></url>'.repeat(1_500_000)}</urlset>`);
const bomb = gzipSync(bombText);
let site: DocSite;

beforeAll(async () => {
  site = await startDocSite({
    '/robots.txt': (_, response) => void response.end(`Sitemap: http://127.0.0.1:${site.port}/bomb.xml`),
    '/bomb.xml': (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/xml', 'content-encoding': 'gzip' }).end(bomb),
    '/docs/': docPage('the start'),
  });
});
afterAll(async () => {
  await site.close();
  rmSync(root, { recursive: true });
});

function run(name: string, args: readonly string[], more: { env?: object; preload?: string } = {}): Promise<Ended> {
  const env = {
    HOME: root,
    PINAKES_DATA_DIR: join(root, name),
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: String(site.port),
    PINAKES_CRAWL_START_DELAY_MS: '0',
    ...more.env,
  };
  const preload = more.preload === undefined ? [] : ['--import', new URL(more.preload, import.meta.url).href];
  return runProgram({ cwd: root, env }, args, { command: [process.execPath, ...preload, MAIN] });
}

/** A fraction of what this machine takes for it now, which is plenty for any other file of the site. */
function tooShortForBombMs(): number {
  const startedAt = performance.now();
  const reader = createSitemapReader(pageUrl(`${site.origin}/bomb.xml`), DEFAULT_SITEMAP_LIMITS);
  reader.push(bombText);
  reader.end();
  return Math.ceil((performance.now() - startedAt) / 4);
}

test('a sitemap that takes too long to parse costs the crawl nothing but itself (finding N6)', async () => {
  const env = { PINAKES_PARSE_TIMEOUT_MS: String(tooShortForBombMs()) };
  const added = await run('bomb', ['add', `${site.origin}/docs/`, '--name', 'docs', '--wait', '--json'], { env });
  expect(added, added.stderr).toMatchObject({ code: 0 });
  const { stdout } = await run('bomb', ['problems', 'docs', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    problems: [{ kind: 'sitemap-unread', target: `${site.origin}/bomb.xml` }],
  });
});

test('a run that kills its process again and again is given up with a problem (finding N5)', async () => {
  const added = await run('deadly', ['add', `${site.origin}/docs/`, '--name', 'docs']);
  expect(added, added.stderr).toMatchObject({ code: 0 });
  const env = { FAULT_DEADLY_PATH: '/bomb.xml', PINAKES_CRAWL_MAX_RUN_CRASHES: '2' };
  const crash = (): Promise<Ended> =>
    run('deadly', ['worker'], { env, preload: '../../robustness/faults/preload/die-on-page.ts' });
  for (let crashes = 1; crashes <= 2; crashes += 1) expect((await crash()).code).toBeNull();
  // Any other command finds the library in order, and the next worker ends the run.
  const other = await run('deadly', ['add', `${site.origin}/docs/`, '--name', 'other', '--preset', 'basic', '--wait'], {
    env,
  });
  expect(other, other.stderr).toMatchObject({ code: 0 });
  const { stdout } = await run('deadly', ['problems', 'docs', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ kind: 'run-crashed', severity: 'error' }] });
});
