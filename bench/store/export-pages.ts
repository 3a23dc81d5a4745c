// node bench/store/export-pages.ts [SITE=URL…]: exports 30,000 pages in each format with the built program and measures its peak memory.
// With sites, each is also crawled into SQLite and into PostgreSQL (PINAKES_TEST_POSTGRES_URL), and the exports are compared. Needs `npm run build`.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDatabase } from '../../test/support/stores.ts';
import { crawlEnv } from '../support/crawl-program.ts';
import { syntheticPages } from '../support/synthetic-markdown.ts';
import { writeResult } from '../support/write-result.ts';

const PAGES = Number(process.env['PAGES'] ?? 30_000);
const PAGE_CHARS = 4000;
/** Making them takes long; a heading makes each page its own. */
const DIFFERENT_TEXTS = 1000;
const main = join(import.meta.dirname, '..', '..', 'dist/program/main.js');
const scratch = mkdtempSync(join(tmpdir(), 'pinakes-bench-'));

interface Ran {
  readonly seconds: number;
  /** The kernel's high-water mark of resident memory. */
  readonly peakMegabytes: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

async function pinakes(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Ran> {
  const started = performance.now();
  const child = spawn(process.execPath, [main, ...args, '--json'], { env });
  let [answer, said, peak] = ['', '', 0];
  child.stdout.on('data', (data: Buffer) => (answer += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said = `${said}${data.toString()}`.slice(-2000)));
  const sampler = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
    } catch {
      // it has just exited
    }
  }, 20);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampler);
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${String(code)}: ${said}`);
  return {
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    peakMegabytes: Math.round((peak * 1024) / 1e6),
    answer: JSON.parse(answer) as Record<string, unknown>,
  };
}

/** What is exported, and how: all of them without times, so that two libraries can be compared. */
const FORMATS: ReadonlyArray<readonly [name: string, ...args: readonly string[]]> = [
  ['pages', '--format', 'pages'],
  ['jsonl', '--format', 'jsonl'],
  ['chunks', '--format', 'jsonl', '--records', 'chunks'],
  ['llms-full', '--format', 'llms-full'],
];

async function measureMemory(): Promise<Record<string, unknown>> {
  const folder = join(scratch, 'docs');
  let bytes = 0;
  const texts = syntheticPages(Math.min(PAGES, DIFFERENT_TEXTS)).map(({ text }) => text.slice(0, PAGE_CHARS));
  for (let page = 0; page < PAGES; page += 1) {
    const text = `# Page ${page}\n\n${texts[page % texts.length] ?? ''}`;
    const path = join(folder, `part-${page % 100}`, `page-${page}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += Buffer.byteLength(text);
  }
  const env = { ...crawlEnv(join(scratch, 'data')), PINAKES_FILES_MAX_SOURCE_BYTES: '1000000000' };
  await pinakes(env, ['add', folder, '--name', 'docs']);
  const formats: Record<string, unknown> = {};
  for (const [name, ...args] of FORMATS) {
    const out = join(scratch, `docs-${name}.zip`);
    const { answer, ...measured } = await pinakes(env, ['export', 'docs', ...args, '--out', out]);
    formats[name] = { ...measured, files: answer['files'], megabytes: Math.round(statSync(out).size / 1e6) };
    rmSync(out);
  }
  const { answer, ...measured } = await pinakes(env, [
    'export',
    'docs',
    '--format',
    'pages',
    '--out',
    join(scratch, 'tree'),
  ]);
  formats['folder'] = { ...measured, files: answer['files'] };
  return { pages: PAGES, megabytes: Math.round(bytes / 1e6), formats };
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Every page once, the same bytes twice, and the same bytes on either engine. */
async function compareSites(sites: readonly string[]): Promise<Record<string, unknown>> {
  const database = await createDatabase();
  const engines = [
    crawlEnv(join(scratch, 'sqlite')),
    { ...crawlEnv(join(scratch, 'postgres')), PINAKES_DATABASE_URL: database.url },
  ];
  const found: Record<string, unknown> = {};
  for (const site of sites) {
    const [name = '', url = ''] = site.split('=');
    const hashes = new Map<string, Set<string>>();
    let pages = 0;
    for (const env of engines) {
      await pinakes(env, ['add', url, '--name', name, '--requests-per-second', '200', '--wait']);
      const { answer } = await pinakes(env, ['pages', name, '--limit', '10000']);
      const urls = (answer['pages'] as ReadonlyArray<{ readonly url: string }>).map((page) => page.url);
      pages = urls.length;
      for (const [format, ...args] of FORMATS)
        for (const nth of [1, 2]) {
          const out = join(scratch, `${name}-${format}-${nth}.zip`);
          await pinakes(env, ['export', name, ...args, '--reproducible', '--out', out, '--force']);
          hashes.set(format, (hashes.get(format) ?? new Set()).add(await hashOf(out)));
          if (format === 'jsonl') checkPages(out, urls);
        }
    }
    found[name] = { pages, differentFiles: Object.fromEntries([...hashes].map(([of, set]) => [of, set.size])) };
  }
  await database.drop();
  return found;
}

function checkPages(file: string, urls: readonly string[]): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const exported = lines.map((line) => (JSON.parse(line) as { readonly source_url: string }).source_url);
  if (exported.length !== urls.length || new Set([...exported, ...urls]).size !== urls.length)
    throw new Error(`${file} does not have every page once`);
}

const sites = process.argv.slice(2);
const memory = await measureMemory();
writeResult('export-pages', { ...memory, ...(sites.length === 0 ? {} : { sites: await compareSites(sites) }) });
rmSync(scratch, { recursive: true });
