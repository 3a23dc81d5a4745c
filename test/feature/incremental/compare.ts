// Compares the stored pages of a site with the site's oracle.

import { join } from 'node:path';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { Store } from '../../../src/store/port.ts';
import type { FrontierUrl } from '../../../src/store/port/frontier.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import { readIfThere, type CorpusSite } from '../../support/corpora.ts';
import { EXCLUSIONS } from './exclusions.table.ts';
import type { SiteOracle } from './oracle.ts';

export interface SiteStats {
  readonly expected: number;
  readonly pages: number;
  /** Expected files that are found only as an alias of another page. */
  readonly folded: number;
  /** Expected files that are excluded for a documented reason, by that reason. */
  readonly excused: Readonly<Record<string, number>>;
  readonly recall: number;
  readonly missing: readonly string[];
  readonly outOfScope: readonly string[];
  readonly disallowed: readonly string[];
  readonly noindex: readonly string[];
  /** Files that are stored as two pages. */
  readonly doubled: readonly string[];
  readonly wrongProvenance: readonly string[];
  readonly orphans: { readonly expected: number; readonly found: number };
}

export async function compare(store: Store, run: Run, site: CorpusSite, oracle: SiteOracle): Promise<SiteStats> {
  const urls = await allUrls(store, run);
  const stored = new Set(await storedUrls(store, run));
  const resolved = await store.pages.resolveCanonical(
    run.version,
    urls.map(({ url }) => url),
  );
  const pathOf = (url: string): string => new URL(url).pathname;
  const isHere = (url: string): boolean => new URL(url).origin === site.origin;
  const here = urls.filter(({ url }) => isHere(url));
  const filesOf = (list: readonly FrontierUrl[]): Map<string, FrontierUrl> =>
    new Map(list.flatMap((one) => named(oracle.fileOf(pathOf(one.url)), one)));
  const pages = filesOf(here.filter(({ url }) => stored.has(url)));
  const leading = filesOf(here.filter(({ url }) => resolved.has(url)));
  const others = filesOf(here.filter(({ url }) => !resolved.has(url)));

  const levelsOf = new Map<string, Set<string>>();
  for (const { url, foundBy } of here) {
    const file = oracle.fileOf(pathOf(url));
    if (file !== null) levelsOf.set(file, (levelsOf.get(file) ?? new Set()).add(foundBy));
  }

  const excused: Record<string, number> = {};
  const missing: string[] = [];
  let folded = 0;
  for (const file of oracle.expected.keys()) {
    if (pages.has(file)) continue;
    if (leading.has(file)) folded += 1;
    else {
      const settled = others.get(file);
      const exclusion = settled === undefined ? undefined : exclusionOf(site, file, settled);
      if (exclusion === undefined)
        missing.push(`${file}: ${settled?.outcome ?? 'never met'} ${settled?.reason ?? ''}`.trim());
      else excused[exclusion.why] = (excused[exclusion.why] ?? 0) + 1;
    }
  }
  const owed = oracle.expected.size - Object.values(excused).reduce((sum, n) => sum + n, 0);
  const found = (file: string): boolean => pages.has(file) || leading.has(file);
  return {
    expected: oracle.expected.size,
    pages: stored.size,
    folded,
    excused,
    recall: owed === 0 ? 1 : (owed - missing.length) / owed,
    missing,
    outOfScope: [...stored].filter((url) => !isHere(url)),
    disallowed: [...stored].filter((url) => site.disallowed.some((path) => pathOf(url).startsWith(path))),
    noindex: [...oracle.noindex].filter((file) => pages.has(file)),
    doubled: duplicateFiles([...stored].filter(isHere).map((url) => oracle.fileOf(pathOf(url)))),
    wrongProvenance: [...pages.keys()].flatMap((file) => {
      const level = oracle.expected.get(file);
      const levels = levelsOf.get(file) ?? new Set();
      const isRight = level === undefined || levels.has(level) || levels.has('seed');
      return isRight ? [] : [`${file}: ${[...levels].join(', ')}, not ${level}`];
    }),
    orphans: {
      expected: oracle.orphans.size,
      found: [...oracle.orphans].filter((file) => found(file) || others.has(file)).length,
    },
  };
}

function named<T>(file: string | null, value: T): Array<[string, T]> {
  return file === null ? [] : [[file, value]];
}

function exclusionOf({ name, root }: CorpusSite, file: string, { reason, outcome }: FrontierUrl) {
  const markdown = (): string => readIfThere(join(root, file.replace(/\.html$/, '.md'))) ?? 'no Markdown';
  return EXCLUSIONS.find(
    (one) =>
      (one.site === null || one.site === name) &&
      one.file.test(file) &&
      `${outcome} ${reason ?? ''}`.startsWith(one.outcome) &&
      (one.pattern === undefined || one.pattern.test(markdown())),
  );
}

function duplicateFiles(files: ReadonlyArray<string | null>): string[] {
  const seen = new Set<string>();
  return files.filter((file): file is string => {
    if (file === null) return false;
    const isSecond = seen.has(file);
    seen.add(file);
    return isSecond;
  });
}

async function allUrls(store: Store, run: Run): Promise<FrontierUrl[]> {
  const urls: FrontierUrl[] = [];
  let after: string | null = null;
  do {
    const piece = await store.frontier.urls(run.id, { outcome: null, after, limit: 1000 });
    urls.push(...piece.urls);
    after = piece.after;
  } while (after !== null);
  return urls;
}

export async function storedUrls(store: Store, run: Run): Promise<PageUrl[]> {
  const urls: PageUrl[] = [];
  let after: string | null = null;
  do {
    const piece = await store.pages.list(run.version, after, 1000);
    urls.push(...piece.pages.map(({ url }) => url));
    after = piece.after;
  } while (after !== null);
  return urls;
}
