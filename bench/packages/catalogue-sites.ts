// node bench/packages/catalogue-sites.ts PAGES NAME=URL…: crawls up to PAGES pages of documentation sites with the settings of their
// definitions in catalogue/sites, from copies of the sites that the URLs serve. A site is tested if its run ended without a failure and
// stored pages. The result is what `scripts/write-catalogue.ts sites` marks.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml } from '../../src/core/extract/data/parse-yaml.ts';
import type { DefinedSource } from '../../src/core/model/source-definition.ts';
import { writeResult } from '../support/write-result.ts';

const root = join(import.meta.dirname, '../..');
const program = process.env['TEST_PROGRAM'] ?? join(root, 'dist/program/main.js');
const [limit, ...served] = process.argv.slice(2);
if (limit === undefined || served.length === 0) throw new Error('usage: catalogue-sites.ts PAGES NAME=URL…');
const folder = mkdtempSync(join(tmpdir(), 'pinakes-bench-sites-'));
const file = join(folder, 'sources.json');
const maxPages = Number(limit);

interface Listed {
  readonly source: string;
  readonly versions: ReadonlyArray<{ readonly pages: number }>;
}

interface Run {
  readonly source: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

try {
  const urls = new Map(served.map((site) => [site.slice(0, site.indexOf('=')), site.slice(site.indexOf('=') + 1)]));
  const sources = [...urls].map(([name, startUrl]) => {
    const text = readFileSync(join(root, 'catalogue/sites', `${name}.yaml`), 'utf8');
    const { settings = {} } = (parseYaml(text, 'typed') as { sources: [Partial<DefinedSource>] }).sources[0];
    return { name, startUrl, settings: { ...settings, maxPages } };
  });
  writeFileSync(file, JSON.stringify({ sources }));
  pinakes('sources', 'import', file);
  pinakes('worker', '--until-idle');
  const { sources: listed } = JSON.parse(pinakes('list', '--json')) as { sources: readonly Listed[] };
  const { runs } = JSON.parse(pinakes('status', '--limit', '100', '--json')) as { runs: readonly Run[] };
  const sites = sources.map(({ name }) => {
    const pages = listed.find(({ source }) => source === name)?.versions[0]?.pages ?? 0;
    const run = runs.find(({ source }) => source === name);
    return { name, state: run?.state ?? 'none', pages, failed: run?.counts['failed'] ?? 0 };
  });
  const tested = sites.filter(({ state, pages, failed }) => state === 'completed' && pages > 0 && failed === 0);
  writeResult('catalogue-sites', { maxPages, sites, tested: tested.map(({ name }) => name).toSorted() });
} finally {
  rmSync(folder, { recursive: true });
}

function pinakes(...args: readonly string[]): string {
  return execFileSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      PINAKES_DATA_DIR: join(folder, 'library'),
      PINAKES_OWNER_MODE: 'in-process',
      PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      PINAKES_CRAWL_START_DELAY_MS: '0',
    },
  });
}
