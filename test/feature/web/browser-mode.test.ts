// The browser-only mode: its bundle is byte-identical to that of the command line, its answers have the same passages, and it
// sends no request.

import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readBundleFile } from '../../../src/core/export/bundle/bundle-archive.ts';
import { exportBundle } from '../../../src/core/export/bundle/export-bundle.ts';
import { readZip } from '../../../src/core/extract/archive/read-zip.ts';
import { FILE_SOURCE_LIMITS } from '../../../src/core/files/file-limits.ts';
import { createLibrary } from '../../support/library.ts';
import { ensureBuilt, openChromium } from '../../support/dashboard-server.ts';
import { axeViolations } from './axe-violations.ts';
import { needing } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const PAGE = pathToFileURL(join(PROJECT, 'dist/web/browser-mode.html')).href;

interface Exported {
  readonly indexId: string;
  readonly files: number;
}

let home: string;
const LONG = needing('npm run test:browser-mode', process.env['BROWSER_MODE_LONG'] !== undefined);

let folder: string;
let browser: Browser;
let cli: Exported & { readonly zip: Buffer };
/** The chunks that the command line cites for each question, by their short ids. */
const cited = new Map<string, readonly string[]>();

beforeAll(async () => {
  await ensureBuilt();
  home = temporaryDirectory();
  folder = join(home, 'handbook');
  createFolder();
  browser = await openChromium();
  const library = await createLibrary('sqlite');
  const added = await library.run('add', folder, '--name', 'handbook', '--wait');
  expect(added.stderr + added.stdout).toContain('handbook');
  const out = join(home, 'cli.zip');
  const exported: Exported = await library.json('export', 'handbook', '--out', out);
  cli = { ...exported, zip: readFileSync(out) };
  for (const question of ['why two databases', 'fencing token', 'urlFilterVerdict', 'waitMs', 'Strasse', 'handbok']) {
    const answer: { passages: Array<{ chunkId: string }> } = await library.json('search', question, '--limit', '20');
    cited.set(
      question,
      answer.passages.map(({ chunkId }) => chunkId.slice(0, 12)),
    );
  }
  await library.remove();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

/** Several formats, one of which is loaded with its first file, an ignore file, hidden files, a name that must be escaped, and an unsupported file. */
function createFolder(): void {
  mkdirSync(join(folder, 'guide/deep'), { recursive: true });
  cpSync(join(PROJECT, 'docs/decisions'), join(folder, 'decisions'), { recursive: true });
  cpSync(join(PROJECT, 'src/core/url'), join(folder, 'code'), { recursive: true });
  cpSync(join(PROJECT, 'web/public/mark.svg'), join(folder, 'mark.svg'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Home</title><main><h1>Home</h1><p>Where the handbook begins. It says what to do first, and what never to do at all.</p></main>',
  );
  writeFileSync(join(folder, 'guide/ä b%20c.md'), '# Umlauts\n\nA name that must be escaped, and Straße.\n');
  writeFileSync(
    join(folder, 'guide/deep/data.json'),
    JSON.stringify({ retry: { times: 3, waitMs: [1, 2, 4] } }, null, 2),
  );
  writeFileSync(join(folder, 'guide/kettle.adoc'), '= Kettle\n\n== Boiling\n\nNOTE: It is hot.\n');
  writeFileSync(join(folder, '.gitignore'), 'secret/\n*.log\n');
  mkdirSync(join(folder, 'secret'));
  writeFileSync(join(folder, 'secret/key.md'), '# Not for anybody\n');
  writeFileSync(join(folder, 'noise.log'), 'noise\n');
  writeFileSync(join(folder, '.hidden.md'), '# Hidden\n');
  writeFileSync(join(folder, 'program.bin'), Buffer.from([0, 1, 2, 3, 255, 254, 0, 0]));
}

async function openBrowserMode(prepare?: (page: Page) => Promise<void>): Promise<{ page: Page; requests: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  await prepare?.(page);
  await page.goto(PAGE);
  await page.waitForSelector('[data-state=empty]');
  return { page, requests };
}

async function indexFolder(page: Page): Promise<void> {
  await page.setInputFiles('input[aria-label=Folder]', folder);
  await page.waitForSelector('[data-state=ready]', { timeout: 60_000 });
}

let indexed: ReturnType<typeof openBrowserMode> | null = null;

/** Of the folder, for tests that change nothing in it: to read the page and to index the folder takes most of their time. */
function indexedPage(): ReturnType<typeof openBrowserMode> {
  return (indexed ??= openBrowserMode().then(async (opened) => {
    await indexFolder(opened.page);
    return opened;
  }));
}

async function downloadedZip(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await page.click('text=Download bundle');
  return readFileSync(await (await download).path());
}

/** URLs that the page creates itself are not requests. */
function externalRequests(requests: readonly string[]): readonly string[] {
  return requests.filter((url) => url !== PAGE && !url.startsWith('blob:') && !url.startsWith('data:'));
}

test('[E2] [L2] a folder gives the bundle of the command line to the byte, without a request', async () => {
  const { page, requests } = await indexedPage();
  expect(await page.getAttribute('main', 'data-runs-in')).toBe('worker');
  const zip = await downloadedZip(page);
  expect(await page.getAttribute('[data-index-id]', 'data-index-id')).toBe(cli.indexId);
  expect(cli.files).toBeGreaterThan(20);
  expect(zip.equals(cli.zip)).toBe(true);
  expect(externalRequests(requests)).toEqual([]);
});

test('without a worker the same bundle is built on the main thread', LONG, async () => {
  const { page, requests } = await openBrowserMode(async (fresh) => {
    await fresh.addInitScript(() => Object.defineProperty(globalThis, 'Worker', { value: undefined }));
  });
  expect(await page.getAttribute('main', 'data-runs-in')).toBe('main-thread');
  await indexFolder(page);
  expect((await downloadedZip(page)).equals(cli.zip)).toBe(true);
  expect(externalRequests(requests)).toEqual([]);
  await page.context().close();
});

test('a question has the passages of the command line, in the same order', async () => {
  const { page } = await indexedPage();
  for (const [question, chunks] of cited) {
    await page.fill('input[type=search]', question);
    await page.waitForFunction((first) => document.querySelector('.hit .path .mono')?.textContent === first, chunks[0]);
    expect(await page.locator('.hit .path .mono').allTextContents(), question).toEqual(chunks);
  }
});

test('an indexed folder can be searched and read, and is saved for the next visit', async () => {
  const { page } = await openBrowserMode();
  await indexFolder(page);
  await page.fill('input[type=search]', 'why two databases sqlite postgresql');
  await page.click('.hit button');
  await page.waitForSelector('.markdown p');
  await page.waitForSelector('[data-saving=false]');
  await page.reload();
  // Opened from a disk, pages share what is saved (finding V22).
  await page.waitForSelector('text=Any other page that this browser opens from a disk can read them');
  await page.click('.saved-libraries >> text=Open');
  await page.waitForSelector('[data-state=ready]');
  expect(await downloadedZip(page)).toEqual(cli.zip);
  await page.context().close();
});

test('single files are a library too, and a drop without files says so', async () => {
  const { page } = await openBrowserMode();
  const drop = await page.evaluateHandle(() => new DataTransfer());
  await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: drop });
  await page.waitForSelector('text=neither a folder nor a file');
  const files = ['guide/ä b%20c.md', 'index.html'].map((path) => join(folder, path));
  await page.setInputFiles('input[aria-label=Files]', files);
  await page.waitForSelector('[data-state=ready]');
  await page.fill('input[type=search]', 'Straße');
  await page.waitForSelector('.hit >> text=Umlauts');
  await page.context().close();
});

test('[L2] unchanged files keep their chunks, and a size limit excludes files', async () => {
  const changing = join(home, 'changing');
  mkdirSync(changing);
  const text = 'Words about the kettle, its lid and its handle, and when to fill it.\n';
  for (const name of ['a', 'b', 'c']) writeFileSync(join(changing, `${name}.md`), `# ${name}\n\n${text}`);
  writeFileSync(join(changing, 'z.txt'), text.repeat(20_000));
  const { page } = await openBrowserMode();
  const choose = async (): Promise<void> => {
    await page.setInputFiles('input[aria-label=Folder]', changing);
    await page.waitForSelector('[data-state=ready]');
  };
  await page.fill('#max-megabytes', '1');
  await choose();
  expect(await page.locator('dl.stats').innerText()).not.toContain('Unchanged');
  await page.click('text=1 excluded');
  await page.waitForSelector('text=batch-too-large: more than 1048576 bytes');
  writeFileSync(join(changing, 'b.md'), `# b\n\nThe second edition of it. ${text}`);
  rmSync(join(changing, 'c.md'));
  await page.click('text=Choose another folder');
  await choose();
  expect(await page.locator('dl.stats').innerText()).toMatch(/Unchanged\s+1/i);
  expect(await page.locator('.files button').allTextContents()).toEqual(['a.md', 'b.md']);
  await page.fill('input[type=search]', 'edition');
  await page.waitForSelector('.hit >> text=edition');

  await page.click('text=Choose another folder');
  await indexFolder(page);
  await page.waitForSelector('[data-saving=false]');
  await page.reload();
  await page.waitForSelector('.saved-libraries');
  expect(await page.locator('.saved-libraries strong').allTextContents()).toEqual(['handbook', 'changing']);
  expect(await page.inputValue('#max-megabytes')).toBe('1');
  await page.click('.saved-libraries li:first-child >> text=Delete');
  await page.reload();
  await page.click('.saved-libraries >> text=Open');
  await page.waitForSelector('[data-state=ready]');
  expect(await page.locator('dl.stats').innerText()).toContain('changing');
  await page.context().close();
});

test('[L2] filters narrow a search as they do on the command line', async () => {
  const { page } = await indexedPage();
  await page.fill('input[type=search]', 'url');
  await page.selectOption('select', 'java_script');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.hit .path')].every((hit) => hit.textContent?.startsWith('code/')),
  );
  await page.fill('text=Symbol', 'urlFilterVerdict');
  // The hits of the former filter stay until the answer is there.
  await page.waitForFunction(() => {
    const paths = [...document.querySelectorAll('.hit .path')].map((hit) => hit.textContent?.split(' ')[0]);
    return paths.length > 0 && paths.every((path) => path === 'code/url-filter.ts');
  });
  await page.fill('text=Path', 'guide/');
  await page.waitForSelector('text=No results with these filters.');
});

test('[L2] a bundle is opened with its vectors, and gives the same bytes again', async () => {
  const spaces = [{ fingerprint: 'model=a', dimensions: 2 }];
  const reader = readBundleFile(cli.zip, 'cli.zip', FILE_SOURCE_LIMITS);
  const pages = reader.pages.map(({ path }) => reader.read(path)!);
  const hashes = [...new Set(pages.flatMap(({ chunks }) => chunks.map(({ contentHash }) => contentHash)))].sort();
  const rows = hashes.map((contentHash) => ({ contentHash, vector: new Float32Array([0.6, 0.8]) }));
  const input = pages.map(({ image, ...page }) => ({ ...page, ...(image !== null && { image }) }));
  const { zip } = exportBundle(reader.meta, input, 'full', { spaces: [{ ...spaces[0]!, rows: () => rows }] });
  expect([...readZip(zip, 'v.zip')].map((item) => item.kind === 'file' && item.path)).toContain(
    'vectors/001/000001.bin',
  );
  const file = join(home, 'with-vectors.zip');
  writeFileSync(file, zip);
  const { page, requests } = await openBrowserMode();
  await page.setInputFiles('input[aria-label=Files]', file);
  await page.waitForSelector('[data-state=ready]');
  expect((await downloadedZip(page)).equals(zip)).toBe(true);
  await page.fill('input[type=search]', 'Straße');
  await page.waitForSelector('.hit >> text=Umlauts');
  expect(externalRequests(requests)).toEqual([]);
  await page.context().close();
});

/** From a server: a page that was opened from a disk has no private file system. */
async function openServed(): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(readFileSync(join(PROJECT, 'dist/web/browser-mode.html')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { page } = await openBrowserMode();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const close = async (): Promise<void> => {
    await page.context().close();
    server.close();
  };
  return { page, close };
}

test('a folder of the directory picker is listed by the worker', async () => {
  const { page, close } = await openServed();
  await page.evaluate(async () => {
    const picked = await (await navigator.storage.getDirectory()).getDirectoryHandle('handbook', { create: true });
    const guide = await picked.getDirectoryHandle('guide', { create: true });
    for (const parent of [picked, guide]) {
      const stream = await (await parent.getFileHandle('kettle.md', { create: true })).createWritable();
      await stream.write(`# The kettle of ${parent.name}\n\nWords about its lid and its handle.\n`);
      await stream.close();
    }
    Object.assign(globalThis, { showDirectoryPicker: async () => picked });
  });
  await page.click('text=Choose a folder');
  await page.waitForSelector('[data-state=ready]', { timeout: 60_000 });
  expect(await page.locator('.files button').allTextContents()).toEqual(['guide/kettle.md', 'kettle.md']);
  await page.fill('input[type=search]', 'kettle of guide');
  await page.waitForSelector('.hit >> text=guide');
  await close();
});

/** Lines of words that are all different. */
function incompressible(chars: number): string {
  const words = randomBytes(chars).toString('base64url');
  return words.replaceAll(/.{60}/g, '$& ').slice(0, chars);
}

test('[L2] a large library is a file of the private file system, where the browser has one', LONG, async () => {
  const large = join(home, 'large');
  mkdirSync(large);
  for (const nth of [1, 2, 3]) writeFileSync(join(large, `${nth}.txt`), `The kettle.\n\n${incompressible(1_200_000)}`);
  cpSync(join(PROJECT, 'web/public/mark.svg'), join(large, 'mark.svg'));
  const { page, close } = await openServed();
  await page.setInputFiles('input[aria-label=Folder]', large);
  await page.waitForSelector('[data-state=ready]', { timeout: 60_000 });
  const written = await downloadedZip(page);
  const names = (): Promise<string[]> =>
    page.evaluate(async () => {
      const retained = await (await navigator.storage.getDirectory()).getDirectoryHandle('pinakes-libraries');
      const found: string[] = [];
      for await (const name of (retained as unknown as { keys(): AsyncIterable<string> }).keys()) found.push(name);
      return found;
    });
  const file = expect.stringMatching(/^large-[0-9a-f]{64}\.jsonl$/) as string;
  await page.waitForSelector('[data-saving=false]', { timeout: 60_000 });
  expect(await names()).toEqual([file]);
  await page.reload();
  await page.click('.saved-libraries >> text=Open');
  await page.waitForSelector('[data-state=ready]', { timeout: 60_000 });
  expect((await downloadedZip(page)).equals(written)).toBe(true);
  await page.reload();
  await page.click('.saved-libraries >> text=Delete');
  await vi.waitFor(async () => expect(await names()).toEqual([]));
  await close();
});

test('thousands of files are posted in small batches, and only visible ones are in the DOM', LONG, async () => {
  const many = join(home, 'many');
  mkdirSync(many);
  for (let nth = 0; nth < 1500; nth += 1)
    writeFileSync(join(many, `page-${String(nth).padStart(4, '0')}.md`), `# Page ${nth}\n\nWords of page ${nth}.\n`);
  const { page } = await openBrowserMode(async (fresh) => {
    await fresh.addInitScript(() => {
      const sent: number[] = [];
      Object.assign(globalThis, { sent });
      const { prototype } = Worker;
      const post = Object.getOwnPropertyDescriptor(prototype, 'postMessage')?.value as (
        message: unknown,
        transfer: Transferable[],
      ) => void;
      Object.assign(prototype, {
        postMessage(this: Worker, message: { args: readonly unknown[] }, transfer: Transferable[]): void {
          sent.push(message.args.flat().length);
          post.call(this, message, transfer);
        },
      });
    });
  });
  await page.setInputFiles('input[aria-label=Folder]', many);
  await page.waitForSelector('[data-state=ready]', { timeout: 60_000 });
  const sent = await page.evaluate(() => (globalThis as unknown as { sent: number[] }).sent);
  expect(Math.max(...sent)).toBeLessThanOrEqual(64);
  expect(sent.reduce((sum, files) => sum + files, 0)).toBeGreaterThanOrEqual(1500);
  expect(page.workers().length, 'one for the library, others that read').toBeGreaterThan(1);
  expect(await page.locator('.files button').count()).toBeLessThan(100);
  await page.locator('.files').evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await page.click('text=page-1499.md');
  await page.waitForSelector('.markdown >> text=Words of page 1499.');
  await page.context().close();
});

const SCHEMES = ['light', 'dark'] as const;
let violations: ReturnType<typeof violationsOfViews> | null = null;

/** Of every view in each scheme, which the page takes from the browser at any time. */
async function violationsOfViews(): Promise<Readonly<Record<(typeof SCHEMES)[number], readonly string[][]>>> {
  const { page } = await openBrowserMode();
  const found = { light: [] as string[][], dark: [] as string[][] };
  const check = async (): Promise<void> => {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      found[colorScheme].push(await axeViolations(page));
    }
  };
  await check();
  await indexFolder(page);
  await check();
  await page.fill('input[type=search]', 'fence');
  await page.waitForSelector('.hit');
  await check();
  await page.click('.hit button');
  await page.waitForSelector('.markdown');
  await check();
  await page.context().close();
  return found;
}

test.each(SCHEMES)('axe finds nothing in %s', async (scheme) => {
  violations ??= violationsOfViews();
  expect((await violations)[scheme]).toEqual([[], [], [], []]);
});
