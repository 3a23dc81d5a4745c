// node bench/web/browser-mode.ts [MB]: indexes a folder of 50 MB in browser mode. Reports the longest task of the
// page while it indexes, how long that takes, and whether any request was sent.
//
// It runs twice: with the directory picker, which the button opens where a browser has one (the folder is in the browser's own
// storage, since nobody is there to confirm a dialog), and with the file input, where the browser lists all files in one task.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ensureBuilt, openChromium } from '../../test/web/dashboard-server.ts';
import { writeResult } from '../support/write-result.ts';

const MEGABYTES = Number(process.argv[2] ?? 49);
const FILE_BYTES = 25_000;
const COUNT = Math.floor((MEGABYTES * 1_000_000) / FILE_BYTES);
const WORDS = 'pool connection limit retry fence claim index chunk heading source version library search answer'.split(
  ' ',
);

interface Seen {
  longestMs: number;
  longTasks: number;
  longestFrameMs: number;
}

await ensureBuilt();
const html = readFileSync(join(import.meta.dirname, '../../dist/web/local.html'));
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/local`;
const home = mkdtempSync(join(tmpdir(), 'pinakes-local-bench-'));
for (let nth = 0; nth < COUNT; nth += 1) {
  const folder = join(home, `part-${nth % 40}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `page-${nth}.md`), textOf(nth, WORDS, FILE_BYTES));
}
const browser = await openChromium();
try {
  const picked = await measure(browser, async (page) => {
    await fillOwnDisk(page);
    await forgetSeen(page);
    await page.click('text=Choose a folder');
  });
  const field = await measure(browser, async (page) => {
    await forgetSeen(page);
    await page.setInputFiles('input[aria-label=Folder]', home);
  });
  const result = { megabytes: MEGABYTES, files: COUNT, picked, field };
  if (process.argv[2] === undefined) writeResult('local-folder', result);
  else console.log(result);
} finally {
  await browser.close();
  server.close();
  rmSync(home, { recursive: true, force: true });
}

async function measure(chromium: Browser, choose: (page: Page) => Promise<void>) {
  const page = await (await chromium.newContext()).newPage();
  const requests: string[] = [];
  page.context().on('request', (request) => requests.push(request.url()));
  await page.addInitScript(watchTasks);
  await page.addInitScript(`globalThis.textOf = ${textOf.toString()}`);
  await page.goto(url);
  await page.waitForSelector('[data-state=empty]');
  const opening = await seenBy(page);
  await choose(page);
  const began = performance.now();
  await page.waitForSelector('[data-state=ready]', { timeout: 600_000 });
  const readMs = Math.round(performance.now() - began);
  await page.waitForSelector('.files button');
  const { longestMs, longTasks, longestFrameMs } = await seenBy(page);
  await forgetSeen(page);
  const searched = performance.now();
  await page.fill('input[type=search]', 'retry limit of a connection pool');
  await page.waitForSelector('.hit');
  const searchMs = Math.round(performance.now() - searched);
  const outside = requests.filter((one) => one !== url && !/^(?:blob|data):/.test(one)).length;
  await page.context().close();
  return { openingLongestMs: opening.longestMs, readMs, longestMs, longTasks, longestFrameMs, searchMs, outside };
}

function watchTasks(): void {
  const seen: Seen = { longestMs: 0, longTasks: 0, longestFrameMs: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.longTasks += 1;
      seen.longestMs = Math.max(seen.longestMs, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
  let last = performance.now();
  const frame = (at: number): void => {
    seen.longestFrameMs = Math.max(seen.longestFrameMs, Math.round(at - last));
    last = at;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function seenBy(page: Page): Promise<Seen> {
  return page.evaluate(() => ({ ...(globalThis as unknown as { seen: Seen }).seen }));
}

/** Waits for pending observations, then resets them. */
async function forgetSeen(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { seen } = globalThis as unknown as { seen: Seen };
    Object.assign(seen, { longestMs: 0, longTasks: 0, longestFrameMs: 0 });
  });
}

/** The same files in the origin private file system, where the picker finds them. */
async function fillOwnDisk(page: Page): Promise<void> {
  await page.evaluate(
    async ({ words, size, count }) => {
      const { textOf: write } = globalThis as unknown as { textOf: typeof textOf };
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('bench', { create: true });
      for (let nth = 0; nth < count; nth += 1) {
        const part = await folder.getDirectoryHandle(`part-${nth % 40}`, { create: true });
        const writer = await (await part.getFileHandle(`page-${nth}.md`, { create: true })).createWritable();
        await writer.write(write(nth, words, size));
        await writer.close();
      }
      Object.assign(globalThis, { showDirectoryPicker: async () => folder });
    },
    { words: WORDS, size: FILE_BYTES, count: COUNT },
  );
}

function textOf(nth: number, words: readonly string[], size: number): string {
  let state = nth + 7;
  const word = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return words[state % words.length] ?? '';
  };
  let text = `# Page ${nth}\n\n`;
  for (let section = 0; text.length < size; section += 1)
    text += `## ${word()} ${word()} ${section}\n\n${Array.from({ length: 120 }, word).join(' ')}.\n\n`;
  return text;
}
