// [F10] How a browser is started: with its sandbox, or by name without; and in a folder that no other user can spoil.

import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkRendering } from '../../../src/compose/check-rendering.ts';
import { launchBrowser } from '../../../src/render/launch-browser.ts';
import { readProcessTree } from '../../../src/render/process-tree.ts';
import { configFromProgram } from '../../../src/platform/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { CHROMIUM } from './test-renderer.ts';

vi.setConfig({ testTimeout: 60_000 });

const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });
const proxy = { host: '127.0.0.1', port: 9 };
const NOBODY = 65_534;

let folder: string;
beforeEach(() => {
  folder = temporaryDirectory();
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A browser that cannot create its sandbox, and writes down how it was started. */
function writeUnsandboxable(): { readonly executable: string; readonly started: () => string } {
  const executable = join(folder, 'chromium');
  const file = join(folder, 'started');
  writeFileSync(executable, `#!/bin/sh\necho "$@" >> ${file}\necho 'FATAL: No usable sandbox!' >&2\nexit 1\n`);
  chmodSync(executable, 0o755);
  return { executable, started: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

test.each([
  ['root', 0, ''],
  ['a kernel that forbids it', NOBODY, '--user-data-dir'],
])('without a sandbox, because of %s, nothing is rendered (finding V14)', async (_, uid, expected) => {
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  const { executable, started } = writeUnsandboxable();
  const launching = launchBrowser({ executable, proxy, sandbox: 'required', log });
  await expect(launching).rejects.toMatchObject({
    code: 'render.unavailable',
    details: { reason: expect.stringMatching(/sandbox.* render\.sandbox=off$/) },
  });
  expect(started()).toContain(expected);
  expect(started()).not.toContain('--no-sandbox');
});

test('only the setting lets the browser run without its sandbox, and doctor says so (finding V14)', async () => {
  const { executable, started } = writeUnsandboxable();
  await expect(launchBrowser({ executable, proxy, sandbox: 'off', log })).rejects.toMatchObject({
    code: 'render.unavailable',
  });
  expect(started()).toContain('--no-sandbox');
  const check = (render: object): ReturnType<typeof checkRendering> =>
    checkRendering({ log, config: configFromProgram({ render: { browser: CHROMIUM, ...render } }, folder).config });
  expect(await check({ sandbox: 'off' })).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('without its sandbox'),
    hint: expect.stringContaining('render.sandbox is off'),
  });
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  expect(await check({})).toMatchObject({ state: 'failed', detail: expect.stringContaining('render.sandbox=off') });
});

test('what others leave in the folder for temporary files neither stops a browser nor is removed (finding V21)', async () => {
  const loop = join(folder, 'pinakes-render-99999998-n');
  symlinkSync('pinakes-render-99999998-n', loop);
  const aside = join(folder, 'aside');
  mkdirSync(aside);
  const old = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(aside, old, old);
  symlinkSync(aside, join(folder, 'pinakes-render-99999998-m'));
  const stale = join(folder, 'pinakes-render-99999997-s');
  mkdirSync(stale);
  utimesSync(stale, old, old);
  const browser = await launchBrowser({ executable: CHROMIUM, proxy, sandbox: 'off', log });
  await browser.kill();
  expect(existsSync(stale)).toBe(false);
  expect(existsSync(aside)).toBe(true);
});

test('a browser, and the pages it opens, leave the processors to everything else', async () => {
  const browser = await launchBrowser({ executable: CHROMIUM, proxy, sandbox: 'off', log });
  try {
    const context = await browser.newContext({});
    await context.newPage();
    const [main, ...others] = readProcessTree(browser.pid!);
    const renderers = others.filter(({ isRenderer }) => isRenderer);
    expect(renderers.length).toBeGreaterThan(0);
    expect(getPriority(main!.pid)).toBeGreaterThanOrEqual(10);
    // A renderer of root raises its priority again.
    if (process.getuid?.() !== 0) for (const { pid } of renderers) expect(getPriority(pid)).toBeGreaterThanOrEqual(10);
  } finally {
    await browser.kill();
  }
});
