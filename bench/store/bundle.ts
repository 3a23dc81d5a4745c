// node bench/store/bundle.ts: a folder of 50 MB of Markdown is added, indexed and exported by one command of the built program.
// What it takes, and the most memory that the process ever had. Needs `npm run build`.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { madePages } from '../support/synthetic-markdown.ts';
import { writeResult } from '../support/write-result.ts';

const WANTED_BYTES = 50_000_000;
const place = mkdtempSync(join(tmpdir(), 'pinakes-bench-'));
const folder = join(place, 'docs');

function writeFolder(): { files: number; bytes: number } {
  let bytes = 0;
  let files = 0;
  for (const { text } of madePages(8000)) {
    const size = Buffer.byteLength(text);
    if (bytes + size > WANTED_BYTES) break;
    const path = join(folder, `part-${files % 50}`, `page-${files}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += size;
    files += 1;
  }
  return { files, bytes };
}

interface Measured {
  readonly seconds: number;
  readonly peakMegabytes: number;
  /** Without the program's own file and the pages of the database that the system maps and may drop at any time. */
  readonly ownPeakMegabytes: number;
  readonly progressLines: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The whole peak is the kernel's own: it misses nothing between two looks. Its own part is looked at 50 times a second. */
async function run(out: string, more: readonly string[]): Promise<Measured> {
  const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
  const started = performance.now();
  const env = { ...process.env, PINAKES_DATA_DIR: join(place, 'data'), PINAKES_OWNER_MODE: 'in-process' };
  const child = spawn(process.execPath, [main, 'export', folder, '--out', out, '--json', ...more], { env });
  let answer = '';
  let progress = '';
  let peak = 0;
  let own = 0;
  child.stdout.on('data', (piece: Buffer) => (answer += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (progress += piece.toString()));
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
      own = Math.max(own, Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
    } catch {
      // it has just ended
    }
  }, 20);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`it ended with ${String(code)}: ${progress.slice(-500)}`);
  return {
    seconds: (performance.now() - started) / 1000,
    peakMegabytes: (peak * 1024) / 1e6,
    ownPeakMegabytes: (own * 1024) / 1e6,
    progressLines: progress.split('\n').length - 1,
    answer: JSON.parse(answer) as Record<string, unknown>,
  };
}

function figures(measured: Measured, megabytes: number): Record<string, number> {
  const { seconds, peakMegabytes, ownPeakMegabytes, progressLines } = measured;
  return {
    seconds: Number(seconds.toFixed(1)),
    peakMegabytes: Math.round(peakMegabytes),
    ownPeakMegabytes: Math.round(ownPeakMegabytes),
    timesTheInput: Number((peakMegabytes / megabytes).toFixed(2)),
    ownTimesTheInput: Number((ownPeakMegabytes / megabytes).toFixed(2)),
    progressLines,
  };
}

const { files, bytes } = writeFolder();
const megabytes = bytes / 1e6;
const first = await run(join(place, 'full.zip'), []);
const again = await run(join(place, 'compact.zip'), ['--compact']);
writeResult('bundle', {
  files,
  megabytes: Number(megabytes.toFixed(1)),
  chunks: first.answer['chunks'],
  tokens: first.answer['tokens'],
  fullZipMegabytes: Number((statSync(join(place, 'full.zip')).size / 1e6).toFixed(1)),
  compactZipMegabytes: Number((statSync(join(place, 'compact.zip')).size / 1e6).toFixed(1)),
  /** Added, indexed and exported in full. */
  first: figures(first, megabytes),
  /** The same folder again, nothing changed, exported compact. */
  again: figures(again, megabytes),
});
rmSync(place, { recursive: true });
