// Sign-in to the dashboard in a real Chromium: by the issuer, in a light and a dark theme and on a phone, and out again.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, openChromium } from '../../support/dashboard-server.ts';
import { freePort } from '../../support/free-port.ts';
import { startIssuer, TEST_CLIENT, type TestIssuer } from '../../support/issuer.ts';
import { addFiles, addToken, startTestServer, type TestServer } from '../../support/test-server.ts';
import { axeViolations } from './axe-violations.ts';

let issuer: TestIssuer;
let server: TestServer;
let browser: Browser;
let own = '';

beforeAll(async () => {
  await ensureBuilt();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  issuer = await startIssuer(url);
  const settings = {
    PINAKES_SERVE_PORT: String(port),
    PINAKES_OAUTH_ISSUER: issuer.url,
    PINAKES_OAUTH_RESOURCE: url,
    PINAKES_OAUTH_CLIENT_ID: TEST_CLIENT,
  };
  server = await startTestServer(settings, async (library) => {
    await addFiles(library, 'guide', { 'pool.md': '# Pool\n\nA shared pool.\n' });
    own = await addToken(library, 'own', 'read');
  });
  browser = await openChromium();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await issuer?.close().catch(() => undefined);
});

const PHONE = { width: 390, height: 844 };
const SCREENS: ReadonlyArray<readonly [string, BrowserContextOptions]> = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { colorScheme: 'light', viewport: PHONE }],
  ['dark phone', { colorScheme: 'dark', viewport: PHONE }],
];

async function open(path: string, screen: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...screen,
  });
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test.each(SCREENS)(
  'a person signs in, returns to the same view, and signs out: %s',
  async (_, screen) => {
    const page = await open('/search?q=pool', screen);
    const signIn = page.getByRole('link', { name: /^Sign in with 127/ });
    await signIn.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await signIn.click();
    await page.getByText('Ada Lovelace').locator('visible=true').waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/search?q=pool');
    expect(await axeViolations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).locator('visible=true').click();
    await signIn.waitFor();
    expect(await page.getByText('Ada Lovelace').count()).toBe(0);
    await page.context().close();
  },
  120_000,
);

test('a token is an alternative, and who has one can sign out too', async () => {
  const page = await open('/');
  await page.getByText('Use an access token instead').click();
  await page.getByLabel('Access token').fill(own);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Reader').locator('visible=true').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).locator('visible=true').click();
  await page.getByRole('link', { name: /^Sign in with 127/ }).waitFor();
  await page.context().close();
}, 120_000);

test('a sign-in that fails ends on a page that a person understands', async () => {
  for (const [, screen] of SCREENS) {
    const page = await open('/sign-in/callback?code=x&state=y', screen);
    expect(await page.innerText('main')).toContain('it was not begun in this browser');
    expect(await axeViolations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.context().close();
  }
}, 120_000);
