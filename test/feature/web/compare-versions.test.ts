// Two versions of a package next to each other in the dashboard: what was removed, renamed and changed, and the changelog.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';
import { startPackageRegistry, type PackageRegistry } from '../../support/package-registry.ts';
import { run } from '../../support/program.ts';
import { axeViolations } from './axe-violations.ts';

let dashboard: Dashboard;
let registry: PackageRegistry;
let server: WebServer;
let browser: Browser;

const TEXT = 'This carries the whole pot to the long table, so that all the guests there have tea.';

function kettle(version: string, declarations: string, changelog: string): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name: 'kettle', version, license: 'MIT', types: './index.d.ts' }),
    'README.md': `# Kettle\n\nA kettle boils water for tea.\n`,
    'CHANGELOG.md': `# Changelog\n${changelog}\n## 3.9.0\n\n- The first release.\n`,
    'index.d.ts': declarations,
  };
}

const OLD = `/** Boils the water. */
export declare function boil(litres: number): void;
/** ${TEXT} */
export declare function serve(guests: string[]): Promise<number>;
/** Whistles when the water boils. */
export declare function whistle(): void;
/** Cools the water. */
export declare function cool(): void;
`;
const CURRENT = `/** Boils the water. */
export declare function boil(litres: number, options: { minutes: number }): void;
/** ${TEXT} */
export declare function pour(guests: string[]): Promise<number>;
/** Cools the water.
 * @deprecated Wait instead. */
export declare function cool(): void;
`;

beforeAll(async () => {
  registry = await startPackageRegistry();
  const changes = '## 4.1.0\n\n- `whistle` is gone, because **nobody** liked it.\n';
  registry.packages['kettle'] = { '3.9.0': kettle('3.9.0', OLD, ''), '4.1.0': kettle('4.1.0', CURRENT, changes) };
  registry.packages['cup'] = { '1.0.0': { ...kettle('1.0.0', OLD, ''), 'package.json': '{"name":"cup"}' } };
  dashboard = await openDashboard(async (directory) => {
    const settings = {
      PINAKES_DATA_DIR: directory,
      PINAKES_REGISTRY_NPM: `${registry.url}/npm`,
      PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    };
    for (const reference of ['npm:kettle@3.9.0', 'npm:kettle@4.1.0', 'npm:cup@1.0.0'])
      expect(await run(settings, ['add', reference, '--wait'])).toMatchObject({ code: 0 });
  });
  ({ server, browser } = dashboard);
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await registry?.close();
});

async function open(path: string, colorScheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
  const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', viewport: { width, height: 844 } });
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

const COMPARE = `/sources/${encodeURIComponent('npm:kettle')}/compare`;

/** The text of the list below a heading. */
async function listed(page: Page, title: string): Promise<string> {
  return page.locator(`section:has(h2:has-text("${title}"))`).innerText();
}

test('the two newest versions of a source are compared from its view, what breaks programs first', async () => {
  const page = await open(`/sources/${encodeURIComponent('npm:kettle')}`);
  await page.click('role=link[name="Compare versions"]');
  await page.waitForSelector('h2:has-text("Removed")');
  expect(await listed(page, 'Removed')).toContain('whistle');
  expect(await listed(page, 'Renamed or moved')).toMatch(/serve\s*→\s*pour/);
  expect(await listed(page, 'Changed signatures')).toContain('minutes');
  expect(await listed(page, 'Newly deprecated')).toContain('cool');
  await page.click('summary:has-text("4.1.0")');
  await page.waitForSelector('.changes .markdown strong:has-text("nobody")');
  const titles = await page.locator('.section h2').allInnerTexts();
  expect(titles.map((title) => title.replace(/\s*\d+$/, ''))).toEqual([
    'Removed',
    'Renamed or moved',
    'Changed signatures',
    'Newly deprecated',
    'Changelog and migration guides',
  ]);
  await page.click('.changes a:has-text("whistle")');
  await page.waitForSelector('.crumbs .tag:has-text("3.9.0")');
  await page.waitForSelector('.markdown :text("Whistles when the water boils")');
  await page.context().close();
});

test('the versions can be exchanged, and the address names them', async () => {
  const page = await open(COMPARE);
  await page.waitForSelector('h2:has-text("Removed")');
  await page.getByLabel('From').selectOption('4.1.0');
  await page.waitForSelector('text=Choose two different versions');
  await page.getByLabel('To').selectOption('3.9.0');
  await page.waitForSelector('section:has(h2:has-text("Renamed")) :text("serve")');
  expect(new URL(page.url()).searchParams.get('before')).toContain('4.1.0');
  expect(await listed(page, 'Renamed or moved')).toMatch(/pour\s*→\s*serve/);
  await page.context().close();
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)('it is shown in %s, %i pixels wide, and axe finds nothing', async (theme, width) => {
  const page = await open(COMPARE, theme, width);
  await page.waitForSelector('.changes .diff');
  await page.click('summary:has-text("4.1.0")');
  expect(await axeViolations(page)).toEqual([]);
  const isWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.content')].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    ),
  );
  expect(isWide).toBe(false);
  await page.context().close();
});

test('a source with one version says what is missing', async () => {
  const page = await open(`/sources/${encodeURIComponent('npm:cup')}/compare`);
  await page.waitForSelector('.empty h2:has-text("No two versions to compare")');
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${server.url}/sources/${encodeURIComponent('npm:cup')}`);
  await page.waitForSelector('.stats');
  expect(await page.locator('role=link[name="Compare versions"]').count()).toBe(0);
  await page.context().close();
});
