// The size of files: 95 % of `src` within 300 lines, and no file under 40 lines that only one other file imports, unless
// scripts/rules/small-files.table.ts says why its idea deserves its own name. Tables and tests do not count.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles, report } from './rules/project-files.ts';
import { smallFiles } from './rules/small-files.table.ts';

const SMALL_LINES = 40;
const LARGE_LINES = 300;
const LARGE_SHARE = 0.05;
const MAX_LISTED = 25;

const files = projectFiles('src/*.ts', 'web/*.ts', 'web/*.tsx').filter((file) => !/\.test\.tsx?$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const importers = new Map(files.map((file) => [file, new Set<string>()]));
for (const [file, text] of texts) {
  for (const [, path = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    importers.get(join(dirname(file), path))?.add(file);
  }
}

const source = files.filter((file) => file.startsWith('src/'));
const lines = (file: string): number => (texts.get(file) ?? '').split('\n').length - 1;
const small = source.filter(
  (file) => lines(file) < SMALL_LINES && importers.get(file)?.size === 1 && !file.endsWith('.table.ts'),
);
const large = source.filter((file) => lines(file) > LARGE_LINES && !file.endsWith('.table.ts'));

console.log(
  `${source.length} source files, ${small.length} under ${SMALL_LINES} lines with one importer, ${large.length} over ${LARGE_LINES} lines`,
);
report([
  ...small
    .filter((file) => !smallFiles.has(file))
    .map(
      (file) =>
        `${file}: under ${SMALL_LINES} lines with one importer (${[...(importers.get(file) ?? [])].join()}): fold it in, or list it with a reason`,
    ),
  ...Array.from(smallFiles.keys())
    .filter((file) => !small.includes(file))
    .map((file) => `${file}: listed as a small file, and it is not one: remove it from the list`),
  ...(smallFiles.size > MAX_LISTED ? [`${smallFiles.size} small files are listed; at most ${MAX_LISTED} may be`] : []),
  ...(large.length > source.length * LARGE_SHARE
    ? [`${large.length} files have more than ${LARGE_LINES} lines: ${large.join(', ')}`]
    : []),
]);
