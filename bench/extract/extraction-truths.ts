// Writes the ground truth of the sample: node bench/extract/extraction-truths.ts STATE OUT.jsonl [--pages 40] [--sites a,b]
// STATE is the state folder of test/data/corpora. One line per page.

import { createWriteStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { samplePages } from '../../test/data/extraction/sample.ts';
import { truthOf } from '../../test/data/extraction/truth.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '40' }, sites: { type: 'string' } },
});
const [state, out] = positionals;
if (state === undefined || out === undefined)
  throw new Error('usage: extraction-truths.ts STATE OUT.jsonl [--pages 40] [--sites a,b]');

const sites = values.sites?.split(',');
const file = createWriteStream(out);
const counts = new Map<string, { pages: number; codes: number; languages: number; headings: number; words: number }>();
for (const page of samplePages(state, Number(values.pages), sites && ((site) => sites.includes(site)))) {
  const truth = truthOf(page.html, page.family);
  const { site, path, url, sha256, family } = page;
  file.write(`${JSON.stringify({ site, path, url, sha256, family: family.name, split: family.split, ...truth })}\n`);
  const key = `${family.split} ${family.name} ${site}`;
  const count = counts.get(key) ?? { pages: 0, codes: 0, languages: 0, headings: 0, words: 0 };
  count.pages += 1;
  count.codes += truth.codes.length;
  count.languages += truth.codes.filter((code) => code.language !== null).length;
  count.headings += truth.headings.length;
  count.words += Object.values(truth.words).reduce((sum, n) => sum + n, 0);
  counts.set(key, count);
}
file.end();
console.table(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
