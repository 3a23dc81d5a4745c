// node bench/local-folder.ts [MB]: a folder of 50 MB read by the page that needs no server. Tells the longest task of the
// page while it reads, how long it takes, and whether anything was asked.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, openChromium } from '../test/web/a-server.ts';
import { writeResult } from './write-result.ts';

const MEGABYTES = Number(process.argv[2] ?? 49);
const FILE_BYTES = 25_000;
const WORDS = 'pool connection limit retry fence claim index chunk heading source version library search answer'.split(
  ' ',
);

await ensureBuilt();
const home = mkdtempSync(join(tmpdir(), 'pinakes-local-bench-'));
const files = makeFolder();
const browser = await openChromium();
try {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.context().on('request', (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    const seen = { longestMs: 0, longTasks: 0, frames: 0, longestFrameMs: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.longTasks += 1;
        seen.longestMs = Math.max(seen.longestMs, duration);
      }
    }).observe({ type: 'longtask', buffered: true });
    let last = performance.now();
    const frame = (at: number): void => {
      seen.frames += 1;
      seen.longestFrameMs = Math.max(seen.longestFrameMs, at - last);
      last = at;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const url = pathToFileURL(join(import.meta.dirname, '../dist/web/local.html')).href;
  await page.goto(url);
  await page.waitForSelector('[data-state=empty]');
  const began = performance.now();
  await page.setInputFiles('input[type=file]', home);
  await page.waitForSelector('[data-state=ready]', { timeout: 600_000 });
  const readMs = Math.round(performance.now() - began);
  const reading = await page.evaluate(() => ({ ...(globalThis as unknown as { seen: object }).seen }));
  const asked = performance.now();
  await page.fill('input[type=search]', 'retry limit of a connection pool');
  await page.waitForSelector('.hit');
  const searchMs = Math.round(performance.now() - asked);
  const outside = requests.filter((one) => one !== url && !/^(?:blob|data):/.test(one));
  const result = { megabytes: MEGABYTES, files, readMs, ...reading, searchMs, requests: outside.length };
  console.log(result);
  if (process.argv[2] === undefined) writeResult('local-folder', result);
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}

function makeFolder(): number {
  const count = Math.floor((MEGABYTES * 1_000_000) / FILE_BYTES);
  let state = 7;
  const word = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return WORDS[state % WORDS.length] ?? '';
  };
  for (let nth = 0; nth < count; nth += 1) {
    const folder = join(home, `part-${nth % 40}`);
    mkdirSync(folder, { recursive: true });
    let text = `# Page ${nth}\n\n`;
    for (let section = 0; text.length < FILE_BYTES; section += 1)
      text += `## ${word()} ${word()} ${section}\n\n${Array.from({ length: 120 }, word).join(' ')}.\n\n`;
    writeFileSync(join(folder, `page-${nth}.md`), text);
  }
  return count;
}
