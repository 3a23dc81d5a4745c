// Sums up the analyzed pages of each host, page by page; says what kind of site a host is, and which milestones are due. Memory is bounded
// whatever the pages are.

import type { MilestoneReport } from '../model/milestone.ts';
import { hostOf, type PageUrl } from '../model/page-url.ts';
import { ANALYSIS_JOB } from './analysis-run.ts';
import { compareText } from '../text/compare-text.ts';

export interface TalliedPage {
  readonly url: PageUrl;
  readonly depth: number;
  readonly kind: string;
  readonly hasCode: boolean;
}

export interface HostCounts {
  readonly host: string;
  readonly pages: number;
  readonly articles: number;
  readonly references: number;
  /** Distinct first segments of the paths. */
  readonly sections: number;
  /** Pages whose path has a year and a month. */
  readonly dated: number;
  readonly withCode: number;
  /** Pages two links away from the start. */
  readonly atDepth2: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly depths: readonly number[];
}

export interface HostTally {
  add(page: TalliedPage): void;
  /** Most pages first. */
  counts(): readonly HostCounts[];
}

/** Beyond these, pages are counted and sections and hosts are not told apart. */
const MAX_HOSTS = 10_000;
const MAX_SECTIONS = 1000;
const MAX_DEPTHS = 10;

const DATED_PATH = /\/(?:19|20)\d\d\/(?:0?[1-9]|1[0-2])(?:\/|$)/;

interface Sums extends Record<'pages' | 'articles' | 'references' | 'dated' | 'withCode' | 'atDepth2', number> {
  readonly sections: Set<string>;
  readonly kinds: Map<string, number>;
  readonly depths: number[];
}

export function createHostTally(): HostTally {
  const hosts = new Map<string, Sums>();
  return {
    add({ url, depth, kind, hasCode }) {
      const host = hostOf(url);
      const sums = hosts.get(host) ?? newSums();
      if (!hosts.has(host) && hosts.size >= MAX_HOSTS) return;
      hosts.set(host, sums);
      const path = new URL(url).pathname;
      const section = path.split('/', 2)[1] ?? '';
      sums.pages += 1;
      sums.articles += Number(kind === 'article');
      sums.references += Number(kind === 'reference');
      sums.dated += Number(DATED_PATH.test(path));
      sums.withCode += Number(hasCode);
      sums.atDepth2 += Number(depth === 2);
      const nth = Math.min(Math.max(0, depth), MAX_DEPTHS - 1);
      while (sums.depths.length <= nth) sums.depths.push(0);
      sums.depths[nth] = (sums.depths[nth] ?? 0) + 1;
      sums.kinds.set(kind, (sums.kinds.get(kind) ?? 0) + 1);
      if (section !== '' && sums.sections.size < MAX_SECTIONS) sums.sections.add(section);
    },
    counts: () =>
      [...hosts]
        .map(([host, { sections, kinds, ...sums }]) => ({
          host,
          ...sums,
          sections: sections.size,
          kinds: Object.fromEntries([...kinds].sort(([a], [b]) => compareText(a, b))),
        }))
        .sort((a, b) => b.pages - a.pages || compareText(a.host, b.host)),
  };
}

function newSums(): Sums {
  const counts = { pages: 0, articles: 0, references: 0, dated: 0, withCode: 0, atDepth2: 0 };
  return { ...counts, sections: new Set(), kinds: new Map(), depths: [] };
}

/** A type, because it is stored as JSON. */
export type HostClassification = {
  readonly kind: 'news' | 'documentation' | 'unknown';
  readonly score: number;
  readonly evidence: {
    readonly articleFetches: number;
    readonly distinctSections: number;
    readonly datedUrlRatio: number;
    readonly codeRatio: number;
  };
  readonly pages: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Pages by links away from the start; those further away are counted with the last. */
  readonly depths: readonly number[];
  readonly updatedAt: string;
};

/** From this score on the kind of a host is known. */
const MIN_SCORE = 0.4;

export function analyzeHost(counts: HostCounts, at: Date): HostClassification {
  const { pages, articles, references, sections, dated, withCode, kinds, depths } = counts;
  const datedUrlRatio = ratio(dated, pages);
  const codeRatio = ratio(withCode, pages);
  const news = round(Math.min(0.5, articles / 100) + Math.min(0.2, sections / 25) + Math.min(0.3, datedUrlRatio));
  const read = articles + references;
  const documentation = round(Math.min(0.5, read / 100) + Math.min(0.2, sections / 10) + Math.min(0.3, codeRatio));
  const score = Math.max(news, documentation);
  const better = news > documentation ? 'news' : 'documentation';
  const evidence = { articleFetches: articles, distinctSections: sections, datedUrlRatio, codeRatio };
  return {
    kind: score < MIN_SCORE ? 'unknown' : better,
    score,
    evidence,
    pages,
    kinds,
    depths,
    updatedAt: at.toISOString(),
  };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : round(part / whole);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Downloads of a host; a specification fixes the number. */
export const MILESTONE_DOWNLOADS = 1000;
const DEPTH_2_PAGES = 10;
const ARTICLES = [
  { kind: 'articles-identified-1k', least: 1000, shown: '1,000' },
  { kind: 'articles-identified-10k', least: 10_000, shown: '10,000' },
] as const;

export function downloadsReached(host: string, count: number): MilestoneReport {
  return { kind: 'downloads-1k', scope: host, target: host, message: 'Downloaded 1,000 documents', details: { count } };
}

/** Whether or not a crawl noticed. A specification fixes their kinds and numbers. */
export function dueMilestones(
  { host, atDepth2, articles, references }: HostCounts,
  downloads: number,
): readonly MilestoneReport[] {
  const due: MilestoneReport[] = [];
  const add = (kind: string, message: string, details: MilestoneReport['details']): void =>
    void due.push({ kind, scope: host, target: host, message, details: { ...details, source: ANALYSIS_JOB } });
  if (downloads >= MILESTONE_DOWNLOADS) {
    const { kind, message } = downloadsReached(host, downloads);
    add(kind, message, { count: downloads });
  }
  if (atDepth2 >= DEPTH_2_PAGES)
    add('depth2-coverage', 'Completed analysis of 10 depth-2 pages from the front page', { depth: 2, pages: atDepth2 });
  const count = articles + references;
  for (const { kind, least, shown } of ARTICLES)
    if (count >= least) add(kind, `Identified ${shown} articles during analysis`, { count, articles, references });
  return due;
}
