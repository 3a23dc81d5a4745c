// npm run test:markdown-reference -- STATE [site …], where STATE was unpacked by serve-corpora.sh: compares the block
// structure of every Markdown page with the reference parser. reference-differences.tsv lists the pages that differ, each
// with its cause; a difference that is not listed there, or no longer found, is a failure.

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownStructure, referenceStructure } from './block-structure.ts';

const [state, ...names] = process.argv.slice(2);
if (state === undefined || !existsSync(join(state, 'www')))
  throw new Error('npm run test:markdown-reference -- STATE [site …]');
const sites = names.length > 0 ? names : readdirSync(join(state, 'www'));
const listed = new Map(
  readFileSync(new URL('reference-differences.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t') as [page: string, cause: string]),
);

let pages = 0;
let failures = 0;
for (const site of sites) {
  const root = join(state, 'www', site);
  for (const path of globSync('**/*.{md,mdx}', { cwd: root }).sort()) {
    pages += 1;
    const difference = firstDifference(readFileSync(join(root, path), 'utf8'), path.endsWith('.mdx'));
    const page = `${site}/${path}`;
    if ((difference === null) === !listed.has(page)) continue;
    failures += 1;
    console.log(`${page}: ${difference ?? 'is listed, but does not differ'}`);
  }
}
const expected = [...listed.keys()].filter((page) => sites.includes(page.split('/', 1)[0] ?? '')).length;
console.log(`${pages} pages of ${sites.length} sites, ${expected} listed as different, ${failures} failures`);
process.exitCode = failures === 0 && pages > 0 ? 0 : 1;

function firstDifference(body: string, isMdx: boolean): string | null {
  const text = body.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const reference = referenceStructure(text, { isMdx });
  const own = ownStructure(text, { isMdx });
  const at = Math.max(reference.length, own.length);
  for (let index = 0; index < at; index += 1) {
    if (reference[index] !== own[index])
      return `reference ${reference[index] ?? 'nothing'}, scanner ${own[index] ?? 'nothing'}`;
  }
  return null;
}
