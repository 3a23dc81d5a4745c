// Measures how the cost of extracting a page grows with its size, per format: CPU time from 10 kB to 10 MB.
//
//   node bench/extract/format-growth.ts

import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { writeResult } from '../support/write-result.ts';

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
/** Enough work for a clock with a resolution of a microsecond, whatever the size. */
const BYTES_A_ROUND = 20_000_000;

/** One section of a typical page, in each format. */
const sections: Readonly<Record<string, (index: number) => string>> = {
  'page.md': (index) =>
    `## Section ${index}\n\nA paragraph with \`code\`, a [link](/page-${index}) and **weight**, long enough to be usual.\n\n` +
    '```js\nconst answer = await ask({ question: "why", limit: 10 });\n```\n\n- one\n- two <br> three\n\n',
  'page.mdx': (index) =>
    `<Note title="N ${index}">\n\n  Text with <Badge>new</Badge> words and [a link](/page-${index}).\n\n</Note>\n\n` +
    "<Table rows={[{ name: 'a', type: 'string', description: 'What it is' }]} />\n\n",
  'page.txt': (index) => `Line ${index} of a text that goes on, see https://docs.test/page-${index}.\n\n`,
  'page.html': (index) =>
    `<h2 id="s${index}">Section ${index}</h2><p>A paragraph with <code>code</code> and a <a href="/page-${index}">link</a>.</p>` +
    '<pre><code class="language-js">const answer = await ask();\n</code></pre>\n',
};

const registry = createExtractorRegistry(extractors);

function bodyOf(section: (index: number) => string, bytes: number): Uint8Array {
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 1) parts.push(section(parts.length));
  return new TextEncoder().encode(parts.join(''));
}

/** Milliseconds of CPU time for one megabyte, the best of three rounds. */
function costPerMegabyte(name: string, body: Uint8Array): number {
  const rounds = Math.max(1, Math.floor(BYTES_A_ROUND / body.byteLength));
  const costs = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1) {
      registry.extract({ url: pageUrl(`https://docs.test/${name}`), mediaType: null, body });
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / rounds / (body.byteLength / 1_000_000);
  });
  return Math.round(Math.min(...costs) * 10) / 10;
}

const formats = Object.fromEntries(
  Object.entries(sections).map(([name, section]) => {
    const costs = SIZES.map((bytes) => costPerMegabyte(name, bodyOf(section, bytes)));
    console.log(name.padEnd(12), costs.map((cost) => String(cost).padStart(8)).join(''));
    return [name, Object.fromEntries(SIZES.map((bytes, index) => [bytes, costs[index]]))];
  }),
);

writeResult('format-growth', {
  unit: 'milliseconds of CPU time for one megabyte, by size of the page in bytes',
  formats,
});
