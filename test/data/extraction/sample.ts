// Samples the pages to measure: up to a number per site and family, in the order of a hash of site and path, so that every
// machine with the same packages measures the same pages.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { families, type Family } from './families.table.ts';

export interface SamplePage {
  readonly site: string;
  readonly family: Family;
  /** Relative to the site's folder. */
  readonly path: string;
  readonly url: string;
  readonly html: string;
  readonly sha256: string;
}

/** Index, search, source and print pages: for browsing, without documentation content. */
const NOT_A_DOCUMENT =
  /(?:^|\/)(?:genindex[^/]*|search|searchindex|py-modindex|http-routingtable|_modules\/.*|_sources\/.*|_static\/.*|src\/.*|index-all|allclasses[^/]*|allpackages[^/]*|.*-members|.*_source|implementors\/.*|print|404)\.html?$/i;

/** Thousands of pages that differ by a few words: a handful is enough. */
const NEAR_COPIES = [
  /(?:^|\/)arch\//,
  /(?:^|\/)class-use\//,
  /(?:^|\/)package-(?:use|tree)\.html$/,
  /^policy\//,
  /^unstable-book\//,
];
const MAX_NEAR_COPIES = 4;

const MARKED_SITES = new Set(['nextjs', 'aisdk', 'mastra', 'npmcli', 'fastify', 'undici', 'cdk']);
const SPHINX_SITES = new Set([
  'python',
  'django',
  'cmake',
  'sqlalchemy',
  'celery',
  'llvm',
  'linux',
  'scrapy',
  'pandas',
]);
const ONE_FAMILY: Readonly<Record<string, string>> = {
  node: 'node',
  sqlite: 'sqlite',
  apache: 'apache',
  tomcat: 'tomcat',
  eigen: 'doxygen',
  cppreference: 'mediawiki',
  qt: 'qdoc',
  glib: 'gtk-doc',
  postgres: 'docbook',
  boost: 'boostbook',
  postfix: 'hand-written',
};
const byName = new Map(families.map((family) => [family.name, family]));

export function* samplePages(
  state: string,
  perSite: number,
  includes?: (site: string) => boolean,
): Generator<SamplePage> {
  const www = join(state, 'www');
  for (const site of readdirSync(www).sort()) {
    if (includes !== undefined && !includes(site)) continue;
    yield* pagesOfSite(join(www, site), site, perSite);
  }
}

function* pagesOfSite(folder: string, site: string, perSite: number): Generator<SamplePage> {
  const countByFamily = new Map<string, number>();
  const copies = new Map<RegExp, number>();
  let misses = 0;
  for (const path of candidates(folder, site)) {
    const copy = NEAR_COPIES.find((pattern) => pattern.test(path));
    if (copy !== undefined && (copies.get(copy) ?? 0) >= MAX_NEAR_COPIES) continue;
    const bytes = readFileSync(join(folder, path));
    const html = decode(bytes);
    const name = familyName(site, path, html);
    const family = name === null ? undefined : byName.get(name);
    const count = countByFamily.get(family?.name ?? '') ?? 0;
    if (family === undefined || count >= perSite || isStub(html) || !hasRoot(html, family)) {
      // A site of one family is done when that family is full; rust continues until both of its families are.
      misses += 1;
      if (misses > 4000) return;
      continue;
    }
    countByFamily.set(family.name, count + 1);
    if (copy !== undefined) copies.set(copy, (copies.get(copy) ?? 0) + 1);
    yield {
      site,
      family,
      path,
      url: urlOf(site, path),
      html,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  }
}

function candidates(folder: string, site: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.x?html?$/i.test(path) && !NOT_A_DOCUMENT.test(path) && !isGeneratedIndex(folder, path),
  );
  const keyed = paths.map((path) => ({ path, key: createHash('sha256').update(`${site}\0${path}`).digest('hex') }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ path }) => path);
}

/** The front page that the corpora scripts write if a package has none. */
function isGeneratedIndex(folder: string, path: string): boolean {
  if (path !== 'index.html' || !existsSync(join(folder, path))) return false;
  return readFileSync(join(folder, path), 'latin1').slice(0, 300).includes(' documentation</title></head><body>');
}

function familyName(site: string, path: string, html: string): string | null {
  if (MARKED_SITES.has(site)) return 'marked';
  if (SPHINX_SITES.has(site)) return 'sphinx';
  const one = ONE_FAMILY[site];
  if (one !== undefined) return one;
  const generator = /<meta\s+name="generator"\s+content="([^"]*)"/i.exec(html.slice(0, 20_000))?.[1] ?? '';
  if (generator.startsWith('javadoc')) return 'javadoc';
  if (site === 'rust') return rustFamily(generator, html);
  if (site === 'git') return generator.startsWith('AsciiDoc') ? 'asciidoc' : 'docbook';
  if (site === 'haproxy') return path.startsWith('lua/') ? 'sphinx' : 'haproxy-dconv';
  if (site === 'erlang') return 'erlang-docgen';
  return null;
}

function rustFamily(generator: string, html: string): string | null {
  if (generator === 'rustdoc') return 'rustdoc';
  return html.includes('<!-- Book generated using mdBook -->') ? 'mdbook' : null;
}

function isStub(html: string): boolean {
  return /<meta[^>]*http-equiv=["']?refresh/i.test(html.slice(0, 5000)) || /<frameset\b/i.test(html);
}

function hasRoot(html: string, family: Family): boolean {
  const $ = load(html);
  return family.roots.some((selector) => $(selector).length > 0);
}

/** As in a browser: the declared charset, else UTF-8 if the bytes are valid, else windows-1252. */
export function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 2000)).toString('latin1');
  const declared = /charset=["']?([\w-]+)/i.exec(head)?.[1] ?? /<\?xml[^>]*encoding="([\w-]+)"/i.exec(head)?.[1];
  for (const label of [declared, 'utf-8']) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

function urlOf(site: string, path: string): string {
  const served = MARKED_SITES.has(site) ? path.replace(/\.html$/, '') : path;
  return new URL(served.split('/').map(encodeURIComponent).join('/'), `https://${site}.docs.test/`).href;
}
