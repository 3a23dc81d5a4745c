// The expected result of a crawl of a corpus site, read from the site's own files and never from the crawler: the pages that
// links lead to, the ones that sitemaps and llms.txt list, without what robots.txt disallows and what has a noindex
// directive. Everything is compared as files on disk, since one file is served at several URLs.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readIfThere, type CorpusSite } from '../../support/corpora.ts';

/** Which level must have found a page: the first that states it. */
export type Level = 'llms-full' | 'llms-txt' | 'sitemap' | 'link';

export interface SiteOracle {
  /** Files that must be found, each with the level that finds it first. */
  readonly expected: ReadonlyMap<string, Level>;
  /** Files that no link leads to. */
  readonly orphans: ReadonlySet<string>;
  readonly disallowed: ReadonlySet<string>;
  readonly noindex: ReadonlySet<string>;
  /** The file that is served at a path, as the server resolves it; null if there is none. */
  readonly fileOf: (path: string) => string | null;
}

export function readOracle(site: CorpusSite, reach: readonly string[]): SiteOracle {
  const fileOf = createFileOf(site.root);
  const html = (paths: readonly string[]): Set<string> =>
    new Set(paths.map(fileOf).filter((file) => file !== null && /\.x?html?$/i.test(file)) as string[]);
  const linked = html(reach);
  const stated = { full: html(llmsFullPaths(site)), txt: html(llmsTxtPaths(site)), sitemap: html(sitemapPaths(site)) };
  const all = new Set([...linked, ...stated.full, ...stated.txt, ...stated.sitemap]);
  const disallowed = new Set([...all].filter((file) => site.disallowed.some((path) => `/${file}`.startsWith(path))));
  const noindex = new Set([...all].filter((file) => forbidsIndexing(join(site.root, file))));
  const levelOf = (file: string): Level => {
    if (stated.full.has(file)) return 'llms-full';
    if (stated.txt.has(file)) return 'llms-txt';
    return stated.sitemap.has(file) ? 'sitemap' : 'link';
  };
  const expected = [...all].filter((file) => !disallowed.has(file) && !noindex.has(file));
  return {
    expected: new Map(expected.toSorted().map((file) => [file, levelOf(file)])),
    orphans: new Set(expected.filter((file) => !linked.has(file))),
    disallowed,
    noindex,
    fileOf,
  };
}

function createFileOf(root: string): (path: string) => string | null {
  const known = new Map<string, string | null>();
  return (path) => {
    let file = known.get(path);
    if (file === undefined) {
      const name = decodeURIComponent(path).replace(/^\/+/, '');
      const candidates = path.endsWith('/') ? [`${name}index.html`] : [name, `${name}.html`, `${name}/index.html`];
      file = candidates.find((candidate) => isFile(join(root, candidate))) ?? null;
      known.set(path, file);
    }
    return file;
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function forbidsIndexing(path: string): boolean {
  const head = readFileSync(path, 'latin1').slice(0, 20_000);
  return /<meta[^>]+name=["']?robots["']?[^>]*content=["'][^"']*noindex/i.test(head);
}

function sitemapPaths({ root }: CorpusSite): string[] {
  const files = ['sitemap.xml', 'sitemap.xml.gz', ...globSync('sitemaps/*.xml.gz', { cwd: root })];
  return files.flatMap((name) => {
    if (!isFile(join(root, name))) return [];
    const bytes = readFileSync(join(root, name));
    const xml = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => pathOf(loc.replaceAll('&amp;', '&')));
  });
}

/** A Markdown variant counts as its page. */
function llmsTxtPaths({ root, origin, flags }: CorpusSite): string[] {
  const text = readIfThere(join(root, 'llms.txt')) ?? '';
  return [...text.matchAll(/^- \[[^\n]*?\]\((\S+)\)(?=:|\s|$)/gm)].map(([, url = '']) => {
    const path = pathOf(new URL(url, origin).href);
    if (!path.endsWith('.md')) return path;
    const bare = path.slice(0, -3);
    return flags.has('md-replace') ? `${bare}.html` : bare;
  });
}

function llmsFullPaths({ root }: CorpusSite): string[] {
  const text = readIfThere(join(root, 'llms-full.txt')) ?? '';
  return [...text.matchAll(/^---\nSource: (\S+)$/gm)].map(([, url = '']) => pathOf(url));
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
