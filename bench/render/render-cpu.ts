// Compares the CPU time of a rendered page, browser processes included, with bare playwright: the same flags without our
// proxy, a context for each page, the same waits, and `page.content()`.
//
//   node bench/render/render-cpu.ts [--pages 40] [--rounds 3]
//
// Needs root and control groups (either version), which count every process of a browser.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import { browserArguments } from '../../src/render/browser-flags.table.ts';
import { waitUntilIdle } from '../../src/render/page-script.ts';
import { guideNames } from '../../test/feature/render/built-sites.ts';
import { docsifySite } from '../../test/feature/render/spa-sites.ts';
import { CHROMIUM, createTestRenderer } from '../../test/feature/render/test-renderer.ts';
import { writeResult } from '../support/write-result.ts';

const QUIET_MS = 200;
const SETTLE_MS = 8000;
const BAR = 1.25;
const CONTESTANTS = ['ours', 'bare'] as const;
type Contestant = (typeof CONTESTANTS)[number];

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    /** The arguments of a child process. */
    render: { type: 'string' },
    urls: { type: 'string' },
  },
});

async function renderOurs(urls: readonly string[]): Promise<number> {
  const renderer = createTestRenderer({ concurrency: 1 });
  let chars = 0;
  for (const url of urls) {
    const outcome = await renderer.render({ url: url as PageUrl, source: 'bench' });
    if (outcome.kind === 'failed') throw new Error(`${url}: ${outcome.reason}`);
    chars += outcome.html.length;
  }
  await renderer.close();
  return chars;
}

async function renderBare(urls: readonly string[]): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'pinakes-bare-'));
  const args = browserArguments({ proxy: { host: '127.0.0.1', port: 1 }, profile, sandbox: false });
  const own = args.filter((flag) => !/proxy|host-resolver/.test(flag));
  const browser = await chromium.launch({ executablePath: CHROMIUM, ignoreDefaultArgs: true, args: own });
  let chars = 0;
  for (const url of urls) chars += (await contentOf(browser, url)).length;
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  return chars;
}

async function contentOf(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  let open = 0;
  let started = 0;
  page.on('request', () => {
    open += 1;
    started += 1;
  });
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfailed', () => (open -= 1));
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  for (const until = performance.now() + SETTLE_MS; performance.now() < until;) {
    const before = started;
    const isStill = await page.evaluate<boolean>(waitUntilIdle(QUIET_MS, SETTLE_MS));
    if (isStill && open === 0 && started === before) break;
  }
  const html = await page.content();
  await context.close();
  return html;
}

/** CPU time of a process and all its descendants, in milliseconds. */
async function measured(contestant: Contestant, urls: readonly string[]): Promise<{ cpuMs: number; seconds: number }> {
  const isFirst = existsSync('/sys/fs/cgroup/cpuacct');
  const group = `/sys/fs/cgroup/${isFirst ? 'cpuacct/' : ''}pinakes-render-${process.pid}`;
  mkdirSync(group);
  const startMs = performance.now();
  const command = [process.execPath, import.meta.filename, '--render', contestant, '--urls', urls.join(' ')];
  const child = spawn('sh', ['-c', `echo $$ > ${group}/cgroup.procs; exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${contestant} ended with ${code}`);
  const cpuMs = isFirst
    ? Number(readFileSync(`${group}/cpuacct.usage`, 'utf8')) / 1e6
    : Number(/usage_usec (\d+)/.exec(readFileSync(`${group}/cpu.stat`, 'utf8'))?.[1]) / 1000;
  await removed(group);
  return { cpuMs, seconds: (performance.now() - startMs) / 1000 };
}

async function removed(group: string): Promise<void> {
  for (let nth = 0; nth < 50; nth += 1) {
    try {
      return rmdirSync(group);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`a process is left in ${group}`);
}

async function compare(): Promise<void> {
  const site = await docsifySite(guideNames);
  const pages = Number(values.pages);
  const guides = [...site.markdown.keys()];
  const urls = Array.from({ length: pages }, (_, nth) => guides[nth % guides.length]!);
  const rounds: Array<Record<Contestant, number>> = [];
  for (let nth = 0; nth < Number(values.rounds); nth += 1) {
    const round = { ours: 0, bare: 0 };
    for (const one of nth % 2 === 0 ? CONTESTANTS : CONTESTANTS.toReversed())
      round[one] = Math.round((await measured(one, urls)).cpuMs / pages);
    console.log(JSON.stringify(round));
    rounds.push(round);
  }
  await site.close();
  const ratios = rounds.map(({ ours, bare }) => ours / bare).toSorted((a, b) => a - b);
  const ratio = Number(ratios[Math.floor(ratios.length / 2)]!.toFixed(3));
  writeResult('render-cpu', { pages, cpuMsPerPage: rounds, medianRatio: ratio, bar: BAR });
  console.log(`median ${ratio} of bare playwright (at most ${BAR})`);
}

const urls = values.urls?.split(' ') ?? [];
if (values.render === 'ours') await renderOurs(urls);
else if (values.render === 'bare') await renderBare(urls);
else await compare();
