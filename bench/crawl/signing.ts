// node bench/crawl/signing.ts STATE [--site NAME] [--pairs 10] [--pages 60]: what signing every request adds to the CPU time of a crawl. Crawls of
// one site on loopback, without signatures and with them, alternate in one process; the bar is the median of the pairs. STATE is a folder
// served by test/data/corpora/serve-corpora.sh.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSignRequest, type SignRequest } from '../../src/fetch/http/sign-request.ts';
import { generateSigningKeys } from '../../src/platform/signing-keys.ts';
import { openCorpora } from '../../test/support/corpora.ts';
import { addSite, crawl } from '../../test/support/measured-crawl.ts';
import { openTestSqlite } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const BAR = 1.03;
const SIGNATURES = 5000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string', default: 'scrapy' },
    pairs: { type: 'string', default: '10' },
    pages: { type: 'string', default: '60' },
  },
});
const [state = ''] = positionals;
// The result is read on other machines, where the folder has another name.
process.argv[process.argv.indexOf(state)] = 'STATE';
const start = `${openCorpora(state).site(values.site).origin}/`;
const folder = temporaryDirectory();
const signingKeys = join(folder, 'keys.json');
generateSigningKeys(signingKeys, Date.now());
const sign = createSignRequest({ signingKeys, signatureAgent: 'https://crawler.example' }, Date.now);

/** CPU milliseconds per page of a crawl into an empty library. */
async function measure(
  withSignature: SignRequest | null,
): Promise<{ readonly pages: number; readonly cpuPerPage: number }> {
  const { store, close } = await openTestSqlite({ startDelayMs: 0 });
  try {
    const source = await addSite(store, 'site', start, { maxPages: Number(values.pages) });
    const { cpuMs: cost } = await crawl(store, source, { threads: 1, sign: withSignature });
    const pages = await store.stats.totalPages();
    return { pages, cpuPerPage: cost / pages };
  } finally {
    await close();
  }
}

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
};
const round = (number: number, digits = 3): number => Number(number.toFixed(digits));

try {
  await measure(null);
  const pairs: Array<{ readonly unsigned: number; readonly signed: number }> = [];
  let pages = 0;
  for (let nth = 0; nth < Number(values.pairs); nth += 1) {
    // The second of a pair may find a warmer process, so each kind is second in every other pair.
    const order = nth % 2 === 0 ? [null, sign] : [sign, null];
    const costs = new Map<SignRequest | null, number>();
    for (const each of order) {
      const measured = await measure(each);
      ({ pages } = measured);
      costs.set(each, measured.cpuPerPage);
    }
    pairs.push({ unsigned: round(costs.get(null) ?? 0), signed: round(costs.get(sign) ?? 0) });
    console.error(JSON.stringify(pairs.at(-1)));
  }
  const url = new URL(start);
  const before = cpuMs();
  for (let nth = 0; nth < SIGNATURES; nth += 1) sign?.(url);
  const perSignature = (cpuMs() - before) / SIGNATURES;
  const unsigned = median(pairs.map((pair) => pair.unsigned));
  writeResult('signing', {
    bar: BAR,
    site: values.site,
    pages,
    pairs,
    cpuMsPerSignature: round(perSignature, 4),
    cpuMsPerPage: round(unsigned),
    ratio: round(median(pairs.map((pair) => pair.signed / pair.unsigned))),
    ratioOfOneSignaturePerPage: round(1 + perSignature / unsigned, 4),
  });
} finally {
  rmSync(folder, { recursive: true });
}
