// What `render.mode=auto` costs where no page needs a browser: crawls of served sites with a browser configured (`auto`) and
// without rendering (`never`), by turns, with the processor time of each and the pages that a browser was started for.
//
//   node bench/render/auto-mode.ts STATE [--sites a,b] [--rounds 5]
//
// STATE is a folder served by test/corpora/serve-corpora.sh. Needs `npm run build`. The browser is a script that only writes that
// it was started, so a start is seen even if nothing is rendered.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCorpora } from '../../test/incremental/corpora.ts';
import { crawlArgs, crawlEnv } from '../support/crawl-program.ts';
import { childrenCpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const MODES = ['auto', 'never'] as const;
type Mode = (typeof MODES)[number];
const BAR = 1.03;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sites: { type: 'string' }, rounds: { type: 'string', default: '5' } },
});
const [state = ''] = positionals;
process.argv[process.argv.indexOf(state)] = 'STATE';
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'pinakes-auto-mode-'));
const started = join(scratch, 'started');
const browser = join(scratch, 'browser');
writeFileSync(browser, `#!/bin/sh\necho start >> ${started}\nexit 1\n`, { mode: 0o755 });

interface Crawl {
  readonly cpuMs: number;
  readonly pages: number;
  readonly skipped: number;
}

async function crawl(start: string, mode: Mode): Promise<Crawl> {
  const directory = mkdtempSync(join(scratch, 'data-'));
  const before = childrenCpuMs();
  const env = { ...crawlEnv(directory), PINAKES_RENDER_BROWSER: browser, PINAKES_RENDER_MODE: mode };
  const child = spawn(process.execPath, crawlArgs(root, start, 'basic'), { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let answer = '';
  child.stdout.on('data', (data: Buffer) => (answer += data.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  rmSync(directory, { recursive: true });
  const { counts } = JSON.parse(answer) as { counts: Record<string, number> };
  return { cpuMs: childrenCpuMs() - before, pages: counts['new'] ?? 0, skipped: counts['skipped'] ?? 0 };
}

const starts = (): number => (existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n').length : 0);

const corpora = openCorpora(state);
const names = values.sites?.split(',') ?? corpora.sites().map(({ name }) => name);
const sites: Record<string, unknown> = {};
const totals: Array<Record<Mode, number>> = [];
for (let nth = 0; nth < Number(values.rounds); nth += 1) {
  const total = { auto: 0, never: 0 };
  for (const name of names) {
    const start = `${corpora.site(name).origin}/`;
    for (const mode of nth % 2 === 0 ? MODES : MODES.toReversed()) {
      const before = starts();
      const { cpuMs, pages, skipped } = await crawl(start, mode);
      total[mode] += cpuMs;
      if (mode === 'auto') sites[name] = { pages, skipped, browserStarts: starts() - before };
      console.log(name, mode, pages, skipped, Math.round(cpuMs), starts() - before);
    }
  }
  totals.push({ auto: Math.round(total.auto), never: Math.round(total.never) });
}
rmSync(scratch, { recursive: true });
const ratios = totals.map(({ auto, never }) => auto / never).toSorted((a, b) => a - b);
const medianRatio = Number(ratios[Math.floor(ratios.length / 2)]!.toFixed(3));
writeResult('render-auto', { bar: BAR, medianRatio, cpuMs: totals, sites });
