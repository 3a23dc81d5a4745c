// Extracts real files of every format and compares headings, code, words and ruled tables with their own renderings, with pandoc and with
// pdftotext. The files come from Debian and npm packages and are fetched into a folder, never committed.
//
//   bash bench/files/fetch-files.sh && node bench/files/files.ts [--only rst] [--show]

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { expandIncludes } from '../../src/core/extract/markup/includes.ts';
import { fileUrl } from '../../src/core/files/file-url.ts';
import { serverExtractors } from '../../src/formats/server-formats.ts';
import { writeResult } from '../support/write-result.ts';
import {
  cellsOfHtml,
  compare,
  noCounts,
  readMaybeGzipped,
  run,
  slideTitles,
  textOfHtml,
  truthOfHtml,
  truthOfPandoc,
  type Counts,
  type Truth,
} from './file-truths.ts';
import { realFiles, type RealFile } from './real-files.ts';

const folder = process.env['FILES_FOLDER'] ?? '/tmp/pinakes-files';
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const shows = process.argv.includes('--show');
const root = join(folder, 'root');
const libraries = `LD_LIBRARY_PATH=${root}/usr/lib/x86_64-linux-gnu:${root}/lib/x86_64-linux-gnu`;
const pandoc = ['env', libraries, `pandoc_datadir=${root}/usr/share/pandoc`, join(root, 'usr/bin/pandoc')];
const pdftotext = ['env', libraries, join(root, 'usr/bin/pdftotext')];
const mandoc = [join(root, 'usr/bin/mandoc')];
const registry = createExtractorRegistry(serverExtractors);
const unpacked = join(folder, 'unpacked');
mkdirSync(unpacked, { recursive: true });

const totals = new Map<string, Counts & { files: number; milliseconds: number; bytes: number }>();
const perFile: object[] = [];
/** Files that pandoc cannot read, and so cannot be compared. */
const unread: object[] = [];
for (const file of realFiles(folder)) {
  if (only !== undefined && file.format !== only) continue;
  await measure(file);
}
for (const [format, counts] of totals) console.log(format.padEnd(10), JSON.stringify(scoresOf(counts)));
if (only === undefined)
  writeResult('files', {
    formats: Object.fromEntries([...totals].map(([format, counts]) => [format, { ...counts, ...scoresOf(counts) }])),
    files: perFile,
    unread,
    packages: packagesOf(join(folder, 'packages.tsv')),
  });

async function measure(file: RealFile): Promise<void> {
  const body = readMaybeGzipped(file.path);
  const path = join(unpacked, file.name);
  writeFileSync(path, body);
  const bytes = file.isText ? await withIncludes(file, body) : body;
  const start = performance.now();
  const page = { url: fileUrl(file.name), mediaType: null, body: Uint8Array.from(bytes) };
  const { document } = await registry.extractAsync(page);
  const milliseconds = performance.now() - start;
  const truth = readsOrNull(() => ({ ...truthOf(file, path), cells: ruledCells(file) }));
  if (truth === null) {
    unread.push({ format: file.format, file: file.name, package: file.package });
    return;
  }
  const misses: string[] = [];
  const headings = document.outline.map(({ text }) => text);
  const counts = compare(
    truth,
    referenceOf(file, path),
    { text: document.text, headings, isLoose: /^(?:man|pdf)/.test(file.format) },
    misses,
  );
  if (shows) console.log(`\n== ${file.name} ${JSON.stringify(scoresOf(counts))}\n${misses.join('\n')}`);
  if (shows) writeFileSync(`${path}.out.md`, document.text);
  const total = totals.get(file.format) ?? { ...noCounts(), files: 0, milliseconds: 0, bytes: 0 };
  for (const key of Object.keys(counts) as Array<keyof Counts>) total[key] += counts[key];
  totals.set(file.format, {
    ...total,
    files: total.files + 1,
    milliseconds: Math.round(total.milliseconds + milliseconds),
    bytes: total.bytes + body.byteLength,
  });
  perFile.push({ format: file.format, file: basename(file.path), package: file.package, ...scoresOf(counts) });
}

function readsOrNull(read: () => Truth): Truth | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Name, version and licence, as fetch-files.sh wrote them. */
function packagesOf(path: string): readonly object[] {
  const [, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [name, version, licence] = row.split('\t');
    return { name, version, licence };
  });
}

async function withIncludes(file: RealFile, body: Buffer): Promise<Buffer> {
  const { text } = await expandIncludes(file.name, body.toString(), (target) => readNextTo(file, target));
  return Buffer.from(text);
}

async function readNextTo(file: RealFile, target: string): Promise<string | null> {
  const path = join(dirname(file.path), target);
  return existsSync(path) ? readMaybeGzipped(path).toString() : null;
}

function truthOf({ truth }: RealFile, path: string): Truth {
  switch (truth.kind) {
    case 'html':
      return mergeTruths(truth.paths.map((page) => truthOfHtml(readMaybeGzipped(page).toString(), truth.root)));
    case 'pandoc':
      return truthOfPandoc(pandoc, truth.path ?? path, truth.from);
    case 'slides':
      return { ...truthOfPandoc(pandoc, truth.path ?? path, truth.from), headings: slideTitles(path) };
    case 'mandoc':
      return truthOfHtml(run(mandoc, ['-T', 'html', path]), '.manual-text');
  }
}

/** The cells of the tables that have ruling lines in the file. */
function ruledCells({ truth, ruled }: RealFile): readonly string[] | null {
  if (truth.kind !== 'html' || ruled === undefined) return null;
  return truth.paths.flatMap((page) => cellsOfHtml(readMaybeGzipped(page).toString(), ruled));
}

function mergeTruths(truths: readonly Truth[]): Truth {
  return {
    headings: truths.flatMap(({ headings }) => headings),
    codeBlocks: truths.flatMap(({ codeBlocks }) => codeBlocks),
  };
}

function referenceOf({ reference }: RealFile, path: string): string {
  switch (reference.kind) {
    case 'pandoc':
      return run(pandoc, ['-f', reference.from, '-t', 'plain', '--wrap=none', '-p', reference.path ?? path]);
    case 'mandoc':
      return textOfHtml(run(mandoc, ['-T', 'html', path]), '.manual-text');
    case 'pdftotext':
      return withoutPageFurniture(run(pdftotext, ['-enc', 'UTF-8', path, '-']));
  }
}

/** Without lines that lead to a page with dots, and without the first and last line of a page if they have its number. */
function withoutPageFurniture(text: string): string {
  const pages = text.split('\f').map((page) => {
    const lines = page.split('\n').filter((line) => line.trim() !== '' && !/(?:\. ?){4,}/.test(line));
    const isRunning = (line: string | undefined): boolean =>
      /^(?:[ivxlc]+|\d+)$|\d$|^\d/.test(line?.trim() ?? '') && (line ?? '').length < 90;
    if (isRunning(lines.at(-1))) lines.pop();
    if (isRunning(lines[0])) lines.shift();
    return lines.join('\n');
  });
  return pages.join('\n');
}

function scoresOf(counts: Counts): Record<string, number> {
  const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000);
  return {
    headingPrecision: ratio(counts.headingsFound, counts.headingsWritten),
    headingRecall: ratio(counts.headingsFound, counts.headings),
    codeExact: ratio(counts.codeExact, counts.codeBlocks),
    wordRecall: ratio(counts.wordsFound, counts.words),
    ...(counts.cells + counts.cellsWritten === 0
      ? {}
      : {
          cellPrecision: ratio(counts.cellsFound, counts.cellsWritten),
          cellRecall: ratio(counts.cellsFound, counts.cells),
        }),
  };
}
