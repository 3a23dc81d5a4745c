// The figures of docs/scale.md, from bench/results, and what is extrapolated from them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './markdown.ts';

interface Frontier {
  readonly serverCpuMsPerPage: number;
  readonly clientCpuMsPerPage: number;
}
interface FrontierResult {
  readonly full: { readonly urls: number };
  readonly small: { readonly urls: number };
  readonly figures: Readonly<Record<'full' | 'small', { readonly ours: Frontier }>>;
}
interface Storage {
  readonly pages: number;
  readonly bytesPerPage: number;
  readonly textBytesPerPage: number;
  readonly chunksPerPage: number;
  readonly tables: Readonly<Record<string, { readonly share: number }>>;
}

const TABLE_LABELS = { chunks: 'chunks', documents: 'documents', search_postings: 'inverted index', bodies: 'bodies' };
const SIZES: ReadonlyArray<readonly [string, number]> = [
  ['10 million', 1e7],
  ['1 billion', 1e9],
  ['10 billion', 1e10],
];
const MAX_REQUESTS_PER_SECOND = 5;

export function scaleResults(): string {
  const fetched = (result('fetch') as { perRequest: { fetcherCpuMs: number } }).perRequest.fetcherCpuMs;
  const extraction =
    1000 / (result('extraction-speed') as { pages: { pagesPerCpuSecond: number } }).pages.pagesPerCpuSecond;
  const frontier = result('frontier-postgres') as FrontierResult;
  const { full, small } = frontier.figures;
  const [fullUrls, smallUrls] = [frontier.full, frontier.small].map(({ urls }) => urls.toLocaleString('en')) as [
    string,
    string,
  ];
  const storage = result('storage') as Storage;
  const embed = (result('embed') as { textsPerCpuSecond: number }).textsPerCpuSecond;
  const search = (result('eval-sqlite-all') as { cpuMs: { p50: number; p95: number } }).cpuMs;
  const server = full.ours.serverCpuMsPerPage;
  const worker = full.ours.clientCpuMsPerPage;
  const embedding = storage.chunksPerPage / embed;
  const shares = Object.entries(TABLE_LABELS).map(
    ([name, label]) => `${Math.round((storage.tables[name]?.share ?? Number.NaN) * 100)} % ${label}`,
  );
  return [
    table(
      ['part', 'cost per page', 'source'],
      [
        ['fetching', `${fetched.toFixed(2)} ms of CPU time for 96 kB`, link('fetch')],
        ['extracting Markdown from HTML', `${extraction.toFixed(1)} ms for a page of 50 kB`, link('extraction-speed')],
        ['frontier, in the worker', `${worker.toFixed(2)} ms at ${fullUrls} URLs`, link('frontier-postgres')],
        [
          'frontier, in PostgreSQL',
          `${server.toFixed(2)} ms at ${fullUrls} URLs, ${small.ours.serverCpuMsPerPage.toFixed(2)} ms at ${smallUrls}; without content`,
          link('frontier-postgres'),
        ],
        ['disk, without vectors', diskText(storage), `${link('storage')}, SQLite`],
        [
          'embedding, if a model is used',
          `${embedding.toFixed(2)} s: ${storage.chunksPerPage.toFixed(1)} chunks at ${embed} per second and core`,
          link('embed'),
        ],
      ],
    ),
    `Disk use by table: ${shares.join(', ')}. A query over all of 33 sites with ${storage.pages.toLocaleString('en')} pages took
${Math.round(search.p50)} ms of CPU time at the median and ${Math.round(search.p95)} ms at the 95th percentile (${link('eval-sqlite-all')}).`,
    `Extrapolated, as if each cost per page stayed the same. It does not: PostgreSQL's part grew ${(server / small.ours.serverCpuMsPerPage).toFixed(1)} times from ${smallUrls} URLs to
${fullUrls}.`,
    table(
      ['pages', 'disk', 'PostgreSQL', 'fetching, extracting and settling', 'embedding', 'a query over everything'],
      SIZES.map(([name, pages]) => [
        name,
        `${number(1, (pages * storage.bytesPerPage) / 1e12)} TB`,
        coreDays(pages * server),
        coreDays(pages * (fetched + extraction + worker)),
        coreDays(pages * 1000 * embedding),
        `${number(0, (search.p50 / 1000) * (pages / storage.pages))} s`,
      ]),
    ),
    `Politeness is the other limit. At ${MAX_REQUESTS_PER_SECOND} requests per second, the most that a host gets, ten million pages of one host take
${Math.round(1e7 / MAX_REQUESTS_PER_SECOND / 86_400)} days, whatever the number of workers. A billion pages on 10,000 hosts take ${Math.round(1e5 / MAX_REQUESTS_PER_SECOND / 3600)} hours by that limit.`,
  ].join('\n\n');
}

function result(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../bench/results/${name}.json`), 'utf8')) as unknown;
}

function link(name: string): string {
  return `[${name}](../bench/results/${name}.json)`;
}

function diskText({ bytesPerPage, textBytesPerPage }: Storage): string {
  return `${(bytesPerPage / 1000).toFixed(0)} kB for a page with ${(textBytesPerPage / 1000).toFixed(1)} kB of text`;
}

function coreDays(ms: number): string {
  return `${number(1, ms / 86_400_000)} core-days`;
}

function number(digits: number, value: number): string {
  return value < 10 ? value.toFixed(digits) : Math.round(value).toLocaleString('en');
}
