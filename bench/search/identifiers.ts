// node bench/search/identifiers.ts --library DIR [--sites a,b] [--count N] [--write NAME] [--misses]: asks for headings that
// are identifiers, as they are and as "what does X do", with and without the source, at several budgets, and measures whether
// the page comes first, whether the section is cited at its own heading, and how many tokens come before it.

import { parseArgs } from 'node:util';
import { getWordTable } from '../../src/compose/word-table.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch } from '../../src/search/search.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { writeResult } from '../support/write-result.ts';
import { searchIdentifier, drawIdentifierHeadings, identifierMetrics } from './eval/identifier-headings.ts';

const { values: options } = parseArgs({
  options: {
    library: { type: 'string', default: '' },
    sites: { type: 'string', default: 'django,fastify,nextjs,celery,cmake,sqlalchemy,postgres,undici' },
    count: { type: 'string', default: '45' },
    seed: { type: 'string', default: '7' },
    write: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});

const BUDGETS = [200, 500, 1000, 2000];
const PHRASINGS = { bare: (name: string) => name, question: (name: string) => `what does ${name} do` } as const;

const store = await openLibraryReader(options.library);
const search = createSearch(store, createSegmentIndex(store.segments), null, getWordTable());
const sites = new Set(options.sites.split(','));
const sources = (await store.sources.list()).filter(({ name }) => sites.has(name));
const headings = await drawIdentifierHeadings(store, sources, {
  count: Number(options.count),
  seed: Number(options.seed),
});

const measurements: Record<string, Record<string, Record<string, number>>> = {};
for (const [phrasing, write] of Object.entries(PHRASINGS)) {
  for (const scope of ['source', 'all'] as const) {
    const ofScope: Record<string, Record<string, number>> = {};
    for (const budget of BUDGETS) {
      const results = [];
      for (const heading of headings) {
        const source = scope === 'source' ? heading.source : undefined;
        const result = await searchIdentifier(search, heading, { query: write(heading.identifier), source, budget });
        results.push(result);
        if (options.misses && result.isPageFound && !result.isCited)
          process.stderr.write(`${phrasing} ${scope} ${budget} ${heading.source} ${heading.identifier}\n`);
      }
      ofScope[String(budget)] = identifierMetrics(results);
    }
    measurements[`${phrasing}, ${scope === 'source' ? 'one source' : 'all sources'}`] = ofScope;
  }
}
await store.close();

const drawn = Object.fromEntries(
  [...Map.groupBy(headings, ({ source }) => source)].map(([name, some]) => [name, some.length]),
);
const result = { headings: headings.length, drawn, figures: measurements };
if (options.write === undefined) process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
else writeResult(options.write, result);
