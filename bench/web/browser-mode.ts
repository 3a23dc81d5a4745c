// node bench/web/browser-mode.ts [--megabytes 200]: reads a folder in browser mode, and compares it with the command line on the same
// files. Reports the longest task of the page, the time to the first answer, the memory of the tab, and how many requests were sent.
//
// The folder is chosen in both ways: with the directory picker, which the button opens where a browser has one (the folder is in
// the browser's own storage, since there is no user to confirm a dialog), and with the file field, whose list Chromium builds in one
// task. That task is compared with the one of an empty page with the same field and files.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { run } from '../../test/support/program.ts';
import { cpuSecondsOf } from '../../test/support/cpu-seconds.ts';
import { ensureBuilt } from '../../test/support/dashboard-server.ts';
import { childrenCpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';
import { makeFolder } from './documentation-folder.ts';
import { inTab } from './measured-tab.ts';
import { watchMemory } from './tab-memory.ts';

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '200' } } });
const MEGABYTES = Number(values.megabytes);
const QUESTION = 'how is a connection closed after a timeout';
const DEADLINE_MS = 1_800_000;
const EMPTY_PAGE = '<!doctype html><title>Empty</title><input type="file" webkitdirectory aria-label="Folder">';

await ensureBuilt();
const local = readFileSync(join(import.meta.dirname, '../../dist/web/local.html'));
const server = createServer(({ url }, response) =>
  response.setHeader('content-type', 'text/html').end(url === '/local' ? local : EMPTY_PAGE),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const home = mkdtempSync(join(tmpdir(), 'pinakes-browser-mode-'));
const folder = join(home, 'documentation');
const profile = join(home, 'profile');
try {
  const made = makeFolder(folder, MEGABYTES * 1e6);
  const commandLine = await measureCommandLine();
  const emptyField = await measureEmptyField();
  const field = await measureReading((page) => page.setInputFiles('input[aria-label=Folder]', folder));
  await fillOwnDisk();
  const picked = await measureReading((page) => page.click('text=Choose a folder'));
  writeResult(MEGABYTES === 200 ? 'browser-mode' : `browser-mode-${MEGABYTES}`, {
    what: 'wall time beside CPU time, because the machine is shared; megabytes are millions of bytes',
    folder: made,
    question: QUESTION,
    commandLine,
    emptyField,
    field,
    picked,
    bars: {
      // The longest task with the field is the one that builds its list.
      ownTasks: { atMostMs: 100, field: field.tasks[1] ?? null, picked: picked.tasks[0] ?? null },
      fieldTaskToEmptyPage: {
        atMost: 1.2,
        wall: ratio(field.tasks[0]?.wallMs, emptyField.tasks[0]?.wallMs),
        cpu: ratio(field.tasks[0]?.cpuMs, emptyField.tasks[0]?.cpuMs),
      },
      firstAnswerToCommandLine: {
        atMost: 1.2,
        field: ratio(field.firstAnswerSeconds, commandLine.firstAnswerSeconds),
        picked: ratio(picked.firstAnswerSeconds, commandLine.firstAnswerSeconds),
      },
      peakMemoryToInput: {
        atMost: 6,
        field: ratio(field.memory.peakMegabytes * 1e6, made.bytes),
        picked: ratio(picked.memory.peakMegabytes * 1e6, made.bytes),
      },
      requests: { atMost: 0, field: field.requests, picked: picked.requests },
    },
  });
} finally {
  server.close();
  rmSync(home, { recursive: true, force: true });
}

interface FirstAnswer {
  readonly firstAnswerSeconds: number;
  readonly cpuSeconds: number;
}

async function measureCommandLine(): Promise<FirstAnswer> {
  const settings = {
    PINAKES_DATA_DIR: join(home, 'library'),
    PINAKES_FILES_MAX_SOURCE_BYTES: '1048576000',
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_LOG_LEVEL: 'warn',
  };
  const cpuBefore = childrenCpuMs();
  const began = performance.now();
  const added = await run(settings, ['add', folder, '--wait']);
  if (added.code !== 0) throw new Error(added.stderr);
  const addSeconds = toSeconds(performance.now() - began);
  const found = await run(settings, ['search', QUESTION, '--limit', '20']);
  if (found.code !== 0) throw new Error(found.stderr);
  const answer = { firstAnswerSeconds: toSeconds(performance.now() - began), addSeconds };
  return { ...answer, cpuSeconds: toSeconds(childrenCpuMs() - cpuBefore) };
}

/** Chooses the folder and asks as soon as there is a field to ask in. */
async function measureReading(choose: (page: Page) => Promise<void>) {
  return inTab(profile, `${origin}/local`, async (tab) => {
    const { page } = tab;
    await page.waitForSelector('[data-state=empty]');
    await page.fill('#max-megabytes', '1000');
    await page.evaluate(offerOwnDisk);
    const memory = await watchMemory(tab.browser, tab.pid);
    const cpuBefore = cpuSecondsOf(tab.pid);
    const requests: string[] = [];
    page.context().on('request', (request) => requests.push(request.url()));
    const began = performance.now();
    await choose(page);
    await page.waitForSelector('[data-state=ready]', { timeout: DEADLINE_MS });
    const readSeconds = toSeconds(performance.now() - began);
    await page.fill('input[type=search]', QUESTION);
    await page.waitForSelector('.hit', { timeout: DEADLINE_MS });
    const firstAnswerSeconds = toSeconds(performance.now() - began);
    await page.waitForSelector('[data-saving=false]', { timeout: DEADLINE_MS });
    const savedSeconds = toSeconds(performance.now() - began);
    const cpuSeconds = toSeconds((cpuSecondsOf(tab.pid) - cpuBefore) * 1000);
    const tasks = await tab.tasks();
    return {
      firstAnswerSeconds,
      readSeconds,
      savedSeconds,
      cpuSeconds,
      stats: await page.locator('dl.stats').innerText(),
      memory: memory.stop(),
      requests: requests.filter((url) => !/^(?:blob|data):/.test(url)).length,
      openingTask: tab.opening[0] ?? null,
      tasks: tasks.slice(0, 5),
    };
  });
}

async function measureEmptyField() {
  return inTab(profile, `${origin}/empty`, async (tab) => {
    await tab.page.setInputFiles('input[aria-label=Folder]', folder);
    await tab.page.waitForFunction(() => document.querySelector('input')?.files?.length);
    return { tasks: (await tab.tasks()).slice(0, 5) };
  });
}

/** The same files in the origin-private file system, where the picker finds them. */
async function fillOwnDisk(): Promise<void> {
  await inTab(profile, `${origin}/empty`, async ({ page }) => {
    await page.setInputFiles('input[aria-label=Folder]', folder);
    await page.evaluate(async () => {
      const picked = await (await navigator.storage.getDirectory()).getDirectoryHandle('picked', { create: true });
      for (const file of document.querySelector('input')?.files ?? []) {
        let at = picked;
        const names = file.webkitRelativePath.split('/').slice(1);
        for (const name of names.slice(0, -1)) at = await at.getDirectoryHandle(name, { create: true });
        const writer = await (await at.getFileHandle(file.name, { create: true })).createWritable();
        await writer.write(file);
        await writer.close();
      }
    });
  });
}

/** In place of the dialog. */
function offerOwnDisk(): void {
  const showDirectoryPicker = async (): Promise<FileSystemDirectoryHandle> =>
    (await navigator.storage.getDirectory()).getDirectoryHandle('picked');
  Object.assign(globalThis, { showDirectoryPicker });
}

function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function ratio(ours = Number.NaN, theirs = Number.NaN): number {
  return Math.round((ours / theirs) * 100) / 100;
}
