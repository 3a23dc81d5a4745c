// Analyses pages in batches, so that the frequencies of their words are read together.

import { analyzePage, type PageAnalysis } from '../../core/analysis/analyze-page.ts';
import { DEEP_HEURISTICS } from '../../core/analysis/deep-heuristics.table.ts';
import { phraseCandidates } from '../../core/analysis/key-phrases.ts';
import { createLocator, siteStart, type LocatedPage } from '../../core/analysis/site-shape.ts';
import type { PlaceMatcher } from '../../core/gazetteer/match-places.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { readSite } from '../../crawl/plan/read-site.ts';
import type { CandidateIndex } from '../../index/port.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import type { AnalyzedPage, PendingPage } from '../../store/port/analysis.ts';
import type { SavedMention } from '../../store/port/gazetteer.ts';

export interface PageAnalyzerDeps {
  readonly store: Pick<Store, 'analysis' | 'gazetteer' | 'sources'>;
  readonly index: Pick<CandidateIndex, 'frequencies'>;
  readonly log: Log;
}

export interface AnalyzedGroup {
  readonly analyzed: readonly AnalyzedPage[];
  /** The kind of each page; null for one that could not be analysed. */
  readonly kinds: ReadonlyArray<string | null>;
}

export interface PageAnalyzer {
  /** Pages that were removed in the meantime are left out. */
  analyze(pages: readonly PendingPage[], analysisVersion: number, signal: AbortSignal): Promise<AnalyzedGroup>;
}

/** Number of URLs that the parts of a site are learned from. */
const LEARNED_URLS = 50_000;
const CACHED_TERMS = 200_000;
const TERMS_PER_READ = 500;
/** Pages are analyzed in the order of their checks, so those of sources that were crawled at the same time alternate. */
const CACHED_SITES = 16;
const CACHED_SIZES = 10_000;

interface Site {
  readonly locate: (url: PageUrl) => LocatedPage;
  readonly places: PlaceMatcher | null;
}

export function createPageAnalyzer({ store, index, log }: PageAnalyzerDeps): PageAnalyzer {
  const frequencies = createLruCache<string, number>(CACHED_TERMS);
  const chunksOf = createLruCache<VersionId, number>(CACHED_SIZES);
  const sites = createLruCache<VersionId, Site>(CACHED_SITES);

  async function siteOf(version: VersionId): Promise<Site> {
    const known = sites.get(version);
    if (known !== undefined) return known;
    const owner = (await store.sources.list()).find(({ versions }) => versions.some(({ id }) => id === version));
    const { shape, places } = await readSite(store, version, siteStart(owner?.startUrl ?? ''), LEARNED_URLS);
    const site = { locate: createLocator(shape), places: places?.matcher ?? null };
    sites.set(version, site);
    return site;
  }

  async function readFrequencies(version: VersionId, terms: readonly string[], signal: AbortSignal): Promise<void> {
    const isNew = chunksOf.get(version) === undefined;
    const unread = isNew ? terms : terms.filter((term) => frequencies.get(`${version} ${term}`) === undefined);
    for (let first = 0; first < unread.length; first += TERMS_PER_READ) {
      const some = unread.slice(first, first + TERMS_PER_READ);
      const { chunks, docFrequencies } = await index.frequencies([version], some, signal);
      chunksOf.set(version, chunks);
      for (const [at, term] of some.entries()) frequencies.set(`${version} ${term}`, docFrequencies[at] ?? 0);
    }
  }

  return {
    async analyze(pages, analysisVersion, signal) {
      const [analyzed, kinds]: [AnalyzedPage[], Array<string | null>] = [[], []];
      for (const [version, group] of Map.groupBy(pages, (page) => page.version)) {
        const texts = [];
        for (const page of group) {
          const stored = signal.aborted ? null : await store.analysis.textOf(page);
          if (stored !== null) texts.push({ page, stored, phrases: phraseCandidates({ ...page, ...stored }) });
        }
        await readFrequencies(version, [...new Set(texts.flatMap(({ phrases }) => phrases.terms))], signal);
        const { locate, places } = await siteOf(version);
        const chunks = chunksOf.get(version) ?? 0;
        const terms = { chunks, frequencyOf: (term: string) => frequencies.get(`${version} ${term}`) ?? 0 };
        for (const { page, stored, phrases } of texts) {
          try {
            const site = { locate, terms, heuristics: DEEP_HEURISTICS, places };
            const analysis = analyzePage({ ...page, ...stored, phrases }, analysisVersion, site);
            analyzed.push({ page, analysis, mentions: places === null ? null : mentionsOf(analysis, stored.text) });
            kinds.push(analysis.kind);
          } catch (error) {
            // Without a row the page stays pending, and the next run tries it again.
            log.warn('a page was not analyzed', { url: page.url, error });
            kinds.push(null);
          }
        }
      }
      return { analyzed, kinds };
    },
  };
}

/** Characters on each side of a mention that are stored with it. */
const CONTEXT_CHARS = 60;

function mentionsOf({ findings }: PageAnalysis, text: string): SavedMention[] {
  return findings.places.map(({ place_id: place, place_kind: placeKind, method, source, ...offsets }) => {
    const { offset_start: start, offset_end: end } = offsets;
    const context = source === 'text' ? text.slice(Math.max(0, start - CONTEXT_CHARS), end + CONTEXT_CHARS) : null;
    return { place, placeKind, method, source, start, end, context };
  });
}
