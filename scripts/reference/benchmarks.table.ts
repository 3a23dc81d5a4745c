// The rows of docs/benchmarks.md: for each result in bench/results, the measured quantity and the format of its figures.

import type { ResultReader } from './result-reader.ts';

export interface Benchmark {
  /** Name in bench/results. */
  readonly result: string;
  readonly what: string;
  readonly format: (result: ResultReader) => string;
}

export interface BenchmarkGroup {
  readonly title: string;
  readonly about: string;
  readonly benchmarks: readonly Benchmark[];
}

const count = (value: number): string => value.toLocaleString('en-US');
const percent = (share: number): string => `${Math.round(100 * share)} %`;

function quality(result: ResultReader): string {
  const at = (name: string): number => result.number(`all/${name}`);
  const evidence = [1000, 2000, 4000].map((tokens) => percent(at(`evidence@${tokens}`))).join(' / ');
  return `nDCG@10 ${at('ndcg').toFixed(3)}, recall@10 ${at('recall').toFixed(3)}, evidence ${evidence}`;
}

function times(result: ResultReader, path: string): string {
  const [p50, p95] = ['p50', 'p95'].map((part) => Math.round(result.number(`${path}/${part}`)));
  return `${p50} / ${p95} ms`;
}

function byEngine(result: ResultReader, path: string, format: (one: ResultReader) => string): string {
  return result
    .each(path)
    .map((one) => `${one.text('engine') === 'sqlite' ? 'SQLite' : 'PostgreSQL'}: ${format(one)}`)
    .join('; ');
}

const SEARCH: BenchmarkGroup = {
  title: 'Search quality',
  about: `Questions about real documentation sites, with the pages that answer them. Evidence is the share of questions whose answer of 1,000 / 2,000 / 4,000
tokens contains the sentence that answers it. The ranking was tuned on these questions, so SciFact counts more.`,
  benchmarks: [
    { result: 'eval-sqlite-site', what: '33 sites, one searched at a time, keywords', format: quality },
    { result: 'eval-sqlite-all', what: '33 sites, all searched together, keywords', format: quality },
    ...['site', 'all'].map((scope) => ({
      result: `confidence-${scope}`,
      what: `Questions about other sources distinguished from answerable ones, ${scope === 'site' ? 'one site' : 'all sites'}`,
      format: (result: ResultReader) => `AUC ${result.number('crossFitted/otherSource/auc').toFixed(2)}`,
    })),
    {
      result: 'agent-questions',
      what: 'Questions as an agent asks them, over MCP, judged by hand',
      format: (result) => {
        const of = result.number('questions');
        const [first, heading, grep] = ['answeredByFirstPassage', 'headingRight', 'answeredByGrep'].map((name) =>
          result.number(name),
        );
        return `first passage answers ${first} of ${of}, heading right ${heading}, first 2,000 tokens of grep ${grep}`;
      },
    },
    {
      result: 'engines',
      what: 'Same answer as on SQLite on PostgreSQL and in browser mode; same first passage on Qdrant',
      format: (result) =>
        `${percent(result.number('sameAnswer/postgres'))}, ${percent(result.number('sameAnswer/browser'))}; ${percent(result.number('sameFirstPassage/qdrant'))} of ${result.number('questions')} questions`,
    },
    {
      result: 'rank-quality-scifact',
      what: 'SciFact, never used for tuning, keywords',
      format: (result) => `nDCG@10 ${result.number('ndcgAt10').toFixed(3)}`,
    },
  ],
};

const COST: BenchmarkGroup = {
  title: 'Cost of a question',
  about: 'CPU time, median and 95th percentile.',
  benchmarks: [
    ...['site', 'all'].map((scope) => ({
      result: `eval-sqlite-${scope}`,
      what: `a query by keywords over 33 sites, ${scope === 'site' ? 'one searched at a time' : 'all searched together'}`,
      format: (result: ResultReader) => times(result, 'cpuMs'),
    })),
    {
      result: 'qdrant-candidates',
      what: 'candidates from segments, and from Qdrant with its client',
      format: (result) =>
        `${times(result, 'all/segmentsMs/together')} and ${times(result, 'all/qdrantMs/together')} over ${count(result.number('chunks'))} chunks`,
    },
    {
      result: 'answer-cpu',
      what: 'answers against those before definitions and word vectors, one source, measured alternately',
      format: (result) =>
        `${result.number('answerCpuMs site p50/ratio').toFixed(2)} times at the median, ${result.number('answerCpuMs site p95/ratio').toFixed(2)} at the 95th percentile`,
    },
    {
      result: 'load',
      what: '1,000 MCP clients at 30 calls a second, wall time',
      format: (result) =>
        `${result.number('mcp/p50Ms')} / ${result.number('mcp/p95Ms')} ms, ${result.number('mcp/errors')} errors in ${count(result.number('mcp/calls'))} calls`,
    },
  ],
};

const CRAWLING: BenchmarkGroup = {
  title: 'Crawling and extraction',
  about: 'Against local copies of real sites, without delays between requests.',
  benchmarks: [
    {
      result: 'peers',
      what: 'ten smaller sites, from the start of the program: Pinakes; Crawlee, which neither extracts nor indexes; what an installation has',
      format: (result) => {
        const sites = result.each('sites');
        const of = (name: string): string => {
          const pages = sites.reduce((sum, site) => sum + site.number(`${name}/pages`), 0);
          const cpuMs = sites.reduce(
            (sum, site) => sum + site.number(`${name}/pages`) * site.number(`${name}/cpuMsPerPage`),
            0,
          );
          const installed = `${result.number(`installed/${name}/packages`)} packages, ${result.number(`installed/${name}/megabytes`)} MB`;
          return `${count(pages)} pages, ${Math.round(cpuMs / pages)} ms CPU/page, ${installed}`;
        };
        return ['pinakes', 'crawlee'].map(of).join('; ');
      },
    },
    {
      result: 'extraction',
      what: 'exact code blocks on generators that were not used for tuning',
      format: (result) => {
        const found = (name: string): string => count(result.number(`firstUnseen/splits/unseen/${name}`));
        return `${found('codesExact')} of ${found('codes')}; headings ${found('headingsFound')} of ${found('headings')}`;
      },
    },
    {
      result: 'render-sites',
      what: 'single-page sites in a Chromium: pages found, and words of what they were made from or of their prerendered pages',
      format: (result) => {
        const sites = result.each('sites');
        const sum = (name: string): number => sites.reduce((total, site) => total + site.number(name), 0);
        const words = Math.min(...sites.map((site) => site.number('words')));
        return `${sum('found')} of ${sum('pages')} pages on ${sites.length} sites, at least ${(100 * words).toFixed(1)} % of the words`;
      },
    },
    {
      result: 'render-cpu',
      what: 'CPU time of a rendered page with its browser, against bare playwright with the same waits',
      format: (result) => `${result.number('medianRatio').toFixed(2)} times`,
    },
    {
      result: 'recrawl',
      what: 'CPU time to crawl an unchanged site again, as a share of the first crawl',
      format: (result) => {
        const shares = result.each('sites').map((site) => site.number('unchangedRun/cpuShare'));
        return `${Math.round(100 * Math.min(...shares))} to ${percent(Math.max(...shares))} over ${shares.length} sites`;
      },
    },
    {
      result: 'politeness',
      what: 'four processes on a host that allows five requests a second',
      format: (result) => {
        const [fast] = result.each('hosts');
        return `${fast?.number('violations')} violations in ${fast?.number('requests')} requests, ${fast?.number('ratePerSecond/lastFiveSeconds')}/s at the end`;
      },
    },
  ],
};

const SAFETY: BenchmarkGroup = {
  title: 'Crash safety',
  about: 'Real processes, ended with `kill -9` at random moments.',
  benchmarks: [
    {
      result: 'kill-crawl',
      what: 'crawls',
      format: (result) =>
        byEngine(
          result,
          'results',
          (one) =>
            `${one.number('kills')} kills, ${one.number('wrongPages')} wrong pages, ${one.number('doubled')} doubled`,
        ),
    },
    {
      result: 'kill-loop',
      what: 'workers that are killed again and again',
      format: (result) =>
        byEngine(result, 'results', (one) => `${one.number('kills')} kills, ${one.number('wrongPages')} wrong pages`),
    },
    {
      result: 'zombies',
      what: 'workers that stall and come back',
      format: (result) =>
        byEngine(
          result,
          'totals',
          (one) =>
            `${count(one.number('stalls'))} stalls, ${one.number('lost')} lost, ${one.number('doubled')} doubled`,
        ),
    },
    {
      result: 'changes',
      what: 'a consumer of the change feed',
      format: (result) =>
        byEngine(
          result,
          'results',
          (one) => `${one.number('kills')} kills, ${one.number('doubled')} changes seen twice`,
        ),
    },
  ],
};

const SIZE: BenchmarkGroup = {
  title: 'Size and start',
  about: 'What an installation costs.',
  benchmarks: [
    {
      result: 'dependencies',
      what: 'packages and disk of the dependencies alone',
      format: (result) =>
        `${result.number('whole/packages')} packages, ${Math.round(result.number('whole/megabytes'))} MB`,
    },
    {
      result: 'storage',
      what: 'disk for a page, without vectors',
      format: (result) => `${Math.round(result.number('bytesPerPage') / 1000)} kB`,
    },
    {
      result: 'bundle-memory',
      what: 'peak memory to add, index and export a folder of 50 MB as a bundle',
      format: (result) => `${result.number('now/first/peakMegabytes')} MB`,
    },
    {
      result: 'bundles',
      what: 'bundles of sites and folders, compared with the library by a reader of the specification; entries of an archive that unzip and Python accept',
      format: (result) => {
        const chunks = result.each('read').reduce((sum, one) => sum + one.number('chunks'), 0);
        return `${result.number('bundles')} bundles, ${count(chunks)} chunks, 0 differences; ${count(result.number('archive/entries'))} entries`;
      },
    },
    {
      result: 'export-pages',
      what: 'peak memory of an export of 30,000 pages',
      format: (result) => {
        const peaks = result.each('formats').map((format) => format.number('peakMegabytes'));
        return `${Math.min(...peaks)} to ${Math.max(...peaks)} MB`;
      },
    },
  ],
};

export const BENCHMARKS: readonly BenchmarkGroup[] = [SEARCH, COST, CRAWLING, SAFETY, SIZE];
