// Crawls the same sites with Pinakes and with other programs in one run, on loopback without a rate limit, and writes what each
// found and what it cost. Needs `npm run build` and the npm registry: the others are installed into a temporary folder.
//
//   node bench/peers.ts STATE [--sites a,b]
//
// STATE is a folder served by test/data/corpora/serve-corpora.sh. Pinakes fetches, extracts, chunks, stores and indexes; Crawlee's Cheerio
// crawler fetches, parses and follows links. A program that cannot be installed is listed with the reason.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCorpora } from '../test/support/corpora.ts';
import { crawlArgs, crawlEnv, pagesCrawled } from './support/crawl-program.ts';
import { watch, type Watched } from './support/watch-process.ts';
import { writeResult } from './support/write-result.ts';

const CRAWLEE = '@crawlee/cheerio@3.18.1';
const DOCS_MCP_SERVER = '@arabold/docs-mcp-server';
/** Hosted, or needs a browser, Docker or Python. */
const NOT_COMPARABLE = {
  Context7: 'hosted: its crawler cannot be run',
  Firecrawl: 'five processes and a browser, run with Docker',
  Crawl4AI: 'needs Python and a browser',
};
const SITES = 'git,tomcat,celery,scrapy,glib,postfix,fastify,undici,npmcli,aisdk';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sites: { type: 'string', default: SITES } },
});
const [state = ''] = positionals;
process.argv[process.argv.indexOf(state)] = 'STATE';
const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'pinakes-peers-'));

interface Installed {
  readonly package: string;
  readonly packages: number;
  readonly megabytes: number;
}

/** Without native builds and install scripts, as far as the package works without them. */
function install(name: string): { readonly folder: string; readonly installed: Installed } {
  const folder = join(scratch, name.replaceAll(/[^a-z]/g, '-'));
  mkdirSync(folder);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', name], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => statSync(join(file.parentPath, file.name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const listing = execFileSync('npm', ['ls', '--prefix', folder, '--all', '--parseable'], { encoding: 'utf8' });
  const packages = new Set(listing.trim().split('\n')).size - 1;
  return { folder, installed: { package: name, packages, megabytes: Math.round(bytes / 1e6) } };
}

/** Why a program could not be installed. */
function refusalOf(name: string): string | null {
  try {
    execFileSync('npm', ['view', name, 'version'], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    return null;
  } catch (error) {
    return /E404/.test(String((error as { stderr?: string }).stderr))
      ? 'not in the npm registry'
      : 'cannot be looked up';
  }
}

interface Cost {
  readonly pages: number;
  readonly cpuMsPerPage: number;
  readonly pagesPerSecond: number;
  readonly peakMegabytes: number;
}

function costOf({ cpuMs, seconds, peakMegabytes }: Watched, pages: number): Cost {
  const round = (number: number): number => Number(number.toFixed(1));
  return {
    pages,
    cpuMsPerPage: round(cpuMs / pages),
    pagesPerSecond: round(pages / seconds),
    peakMegabytes: Math.round(peakMegabytes),
  };
}

async function crawlOurs(start: string): Promise<Cost> {
  const directory = mkdtempSync(join(scratch, 'data-'));
  const watched = await watch(crawlArgs(root, start, 'basic'), crawlEnv(directory));
  rmSync(directory, { recursive: true });
  return costOf(watched, pagesCrawled(watched.answer));
}

async function crawlWithCrawlee(start: string, folder: string): Promise<Cost> {
  const env = { ...process.env, CRAWLEE_STORAGE_DIR: mkdtempSync(join(scratch, 'storage-')) };
  const script = join(import.meta.dirname, 'crawl', 'crawl-competitor-crawlee.ts');
  const watched = await watch([script, start, '1000000', folder, 'standard'], env);
  return costOf(watched, (JSON.parse(watched.answer) as { pages: number }).pages);
}

try {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch], {
    cwd: root,
    stdio: 'ignore',
  });
  const tarball = join(
    scratch,
    readdirSync(scratch).find((file) => file.endsWith('.tgz'))!,
  );
  const ours = install(tarball);
  const crawlee = install(CRAWLEE);
  const sites: Record<string, { pinakes: Cost; crawlee: Cost }> = {};
  for (const name of values.sites.split(',')) {
    const start = `${openCorpora(state).site(name).origin}/`;
    sites[name] = { pinakes: await crawlOurs(start), crawlee: await crawlWithCrawlee(start, crawlee.folder) };
    console.log(name, JSON.stringify(sites[name]));
  }
  const refusal = refusalOf(DOCS_MCP_SERVER);
  const docsMcpServer = refusal ?? 'in the registry, but no crawl of it is written here';
  writeResult('peers', {
    installed: { pinakes: { ...ours.installed, package: 'pinakes' }, crawlee: crawlee.installed },
    sites,
    notRun: { 'docs-mcp-server': docsMcpServer, ...NOT_COMPARABLE },
  });
} finally {
  rmSync(scratch, { recursive: true });
}
