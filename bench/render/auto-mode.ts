// The cost of `render.mode=auto` where no page needs a browser: crawls of served sites with a browser configured (`auto`) and
// without rendering (`never`), alternately, with the CPU time of each. With `--survey`, one crawl of each site with `auto`: the pages
// that a browser is started for, and the modules of the render stage that were loaded.
//
//   node bench/render/auto-mode.ts STATE [--survey] [--sites a,b] [--rounds 5] [--pages 100000]
//
// STATE is a folder served by test/data/corpora/serve-corpora.sh. Needs `npm run build`. The browser is a script that only writes that
// it was started, so a start is seen even if nothing is rendered.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openCorpora } from '../../test/support/corpora.ts';
import { crawlArgs, crawlEnv } from '../support/crawl-program.ts';
import { childrenCpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const MODES = ['auto', 'never'] as const;
type Mode = (typeof MODES)[number];
const BAR = 1.03;
/** Sites that are crawled at the same time where no time is measured. */
const AT_A_TIME = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sites: { type: 'string' },
    survey: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '100000' },
  },
});
const [state = ''] = positionals;
process.argv[process.argv.indexOf(state)] = 'STATE';
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'pinakes-auto-mode-'));
interface Crawl {
  readonly cpuMs: number;
  readonly pages: number;
  readonly skipped: number;
  /** Pages that are empty without their scripts. */
  readonly shells: readonly string[];
  readonly browserStarts: number;
  readonly renderModules: readonly string[];
}

/** What the crawl of one folder leaves behind: a line for each start of the browser, and for each module of the render stage. */
function plantMarks(directory: string): Record<'browser' | 'hook' | 'started' | 'loaded', string> {
  const started = join(directory, 'started');
  const loaded = join(directory, 'loaded');
  const browser = join(directory, 'browser');
  const hook = join(directory, 'hook.mjs');
  writeFileSync(browser, `#!/bin/sh\necho start >> ${started}\nexit 1\n`, { mode: 0o755 });
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load(url, context, next) {
  if (/\\/dist\\/render\\/|playwright/.test(url)) appendFileSync(${JSON.stringify(loaded)}, url.split('/').at(-1) + '\\n');
  return next(url, context);
} });
`,
  );
  return { browser, hook, started, loaded };
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

/** `hooks`: with the hook that sees modules, which takes additional time. */
async function crawl(start: string, mode: Mode, hooks: boolean): Promise<Crawl> {
  const directory = mkdtempSync(join(scratch, 'crawl-'));
  const { browser, hook, started, loaded } = plantMarks(directory);
  const before = childrenCpuMs();
  const rendering = { PINAKES_RENDER_BROWSER: browser, PINAKES_RENDER_SANDBOX: 'off', PINAKES_RENDER_MODE: mode };
  const env = { ...crawlEnv(join(directory, 'data')), ...rendering };
  const args = [...(hooks ? ['--import', pathToFileURL(hook).href] : []), ...crawlArgs(root, start, 'basic')];
  const child = spawn(process.execPath, [...args, '--max-pages', values.pages], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let answer = '';
  child.stdout.on('data', (data: Buffer) => (answer += data.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  const cpuMs = childrenCpuMs() - before;
  const { run, counts } = JSON.parse(answer) as { run: number; counts: Record<string, number> };
  const skipped = counts['skipped'] ?? 0;
  const shells = skipped === 0 ? [] : shellsOf(run, env);
  const seen = { browserStarts: linesOf(started).length, renderModules: [...new Set(linesOf(loaded))].toSorted() };
  rmSync(directory, { recursive: true });
  return { cpuMs, pages: counts['new'] ?? 0, skipped, shells, ...seen };
}

function shellsOf(run: number, env: NodeJS.ProcessEnv): readonly string[] {
  const args = [
    join(root, 'dist/program/main.js'),
    'urls',
    String(run),
    '--outcome',
    'skipped',
    '--limit',
    '1000',
    '--json',
  ];
  const { urls } = JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })) as {
    urls: ReadonlyArray<{ readonly url: string; readonly reason: string | null }>;
  };
  return urls
    .filter(({ reason }) => reason?.startsWith('needs-rendering') === true)
    .map(({ url }) => new URL(url).pathname);
}

const corpora = openCorpora(state);
const names = values.sites?.split(',') ?? corpora.sites().map(({ name }) => name);
const startOf = (name: string): string => `${corpora.site(name).origin}/`;

async function survey(): Promise<void> {
  const sites = new Map<string, Omit<Crawl, 'cpuMs'>>();
  const pending = [...names];
  const crawlNext = async (): Promise<void> => {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const { cpuMs: _, ...seen } = await crawl(startOf(name), 'auto', true);
      sites.set(name, seen);
      console.log(name, JSON.stringify(seen));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, crawlNext));
  const all = [...sites.values()];
  writeResult('render-auto-sites', {
    maxPages: Number(values.pages),
    pages: all.reduce((sum, { pages }) => sum + pages, 0),
    browserStarts: all.reduce((sum, { browserStarts }) => sum + browserStarts, 0),
    shells: all.reduce((sum, { shells }) => sum + shells.length, 0),
    sites: Object.fromEntries(names.map((name) => [name, sites.get(name)])),
  });
}

async function measure(): Promise<void> {
  const sites: Record<string, unknown> = {};
  const totals: Array<Record<Mode, number>> = [];
  for (let nth = 0; nth < Number(values.rounds); nth += 1) {
    const total = { auto: 0, never: 0 };
    for (const name of names) {
      for (const mode of nth % 2 === 0 ? MODES : MODES.toReversed()) {
        const { cpuMs, pages, skipped, browserStarts } = await crawl(startOf(name), mode, false);
        total[mode] += cpuMs;
        if (mode === 'auto') sites[name] = { pages, skipped, browserStarts };
        console.log(name, mode, pages, skipped, Math.round(cpuMs), browserStarts);
      }
    }
    totals.push({ auto: Math.round(total.auto), never: Math.round(total.never) });
  }
  const ratios = totals.map(({ auto, never }) => auto / never).toSorted((a, b) => a - b);
  const medianRatio = Number((ratios[Math.floor(ratios.length / 2)] ?? 0).toFixed(3));
  writeResult('render-auto', { bar: BAR, medianRatio, cpuMs: totals, sites });
}

await (values.survey ? survey() : measure());
rmSync(scratch, { recursive: true });
