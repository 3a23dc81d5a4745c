// node bench/store/bundle.ts: adds, indexes and exports a folder of 50 MB of Markdown with one command of the built program.
// Measures time and peak memory. Needs `npm run build`.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { syntheticPages } from '../support/synthetic-markdown.ts';
import { memoryMegabytes } from '../support/process-memory.ts';
import { writeResult } from '../support/write-result.ts';

const TARGET_BYTES = 50_000_000;
const scratch = mkdtempSync(join(tmpdir(), 'pinakes-bench-'));
const folder = join(scratch, 'docs');

function writeFolder(): { files: number; bytes: number } {
  let bytes = 0;
  let files = 0;
  for (const { text } of syntheticPages(8000)) {
    const size = Buffer.byteLength(text);
    if (bytes + size > TARGET_BYTES) break;
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
  /** Without file-backed pages, such as the program and the database, which the system may drop at any time. */
  readonly ownPeakMegabytes: number;
  readonly progressLines: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The peak is the kernel's high-water mark, so no spike is missed. Anonymous memory is sampled 50 times a second. */
async function run(out: string, more: readonly string[]): Promise<Measured> {
  const main = join(import.meta.dirname, '..', '..', 'dist/program/main.js');
  const started = performance.now();
  const env = { ...process.env, PINAKES_DATA_DIR: join(scratch, 'data'), PINAKES_OWNER_MODE: 'in-process' };
  const child = spawn(process.execPath, [main, 'export', folder, '--out', out, '--json', ...more], { env });
  let answer = '';
  let progress = '';
  let peak = 0;
  let anonymous = 0;
  child.stdout.on('data', (data: Buffer) => (answer += data.toString()));
  child.stderr.on('data', (data: Buffer) => (progress += data.toString()));
  const sampler = setInterval(() => {
    try {
      peak = Math.max(peak, memoryMegabytes(child.pid, 'VmHWM'));
      anonymous = Math.max(anonymous, memoryMegabytes(child.pid, 'RssAnon'));
    } catch {
      // it has just exited
    }
  }, 20);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampler);
  if (code !== 0) throw new Error(`exited with ${String(code)}: ${progress.slice(-500)}`);
  return {
    seconds: (performance.now() - started) / 1000,
    peakMegabytes: peak,
    ownPeakMegabytes: anonymous,
    progressLines: progress.split('\n').length - 1,
    answer: JSON.parse(answer) as Record<string, unknown>,
  };
}

function measurements(measured: Measured, megabytes: number): Record<string, number> {
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
const first = await run(join(scratch, 'full.zip'), []);
const again = await run(join(scratch, 'compact.zip'), ['--compact']);
writeResult('bundle', {
  files,
  megabytes: Number(megabytes.toFixed(1)),
  chunks: first.answer['chunks'],
  tokens: first.answer['tokens'],
  fullZipMegabytes: Number((statSync(join(scratch, 'full.zip')).size / 1e6).toFixed(1)),
  compactZipMegabytes: Number((statSync(join(scratch, 'compact.zip')).size / 1e6).toFixed(1)),
  /** Added, indexed and exported in full. */
  first: measurements(first, megabytes),
  /** The same folder again, nothing changed, exported compact. */
  again: measurements(again, megabytes),
});
rmSync(scratch, { recursive: true });
