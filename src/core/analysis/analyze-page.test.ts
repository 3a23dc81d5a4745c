import { expect, test } from 'vitest';
import { createPlaceMatcher } from '../gazetteer/match-places.ts';
import { pageUrl } from '../model/page-url.ts';
import { analysisRunId } from './analysis-run.ts';
import { analyzePage as analyze, type PageSite, type StoredText } from './analyze-page.ts';
import { phraseCandidates } from './key-phrases.ts';
import { createLocator, learnShape } from './site-shape.ts';

const PAGE: StoredText = {
  url: pageUrl('https://x.dev/guides/pools'),
  title: 'Connection pools',
  mediaType: 'text/html',
  text: '# Connection pools\n\nSee [the manual](https://x.dev/manual) and [again](https://x.dev/manual).\n\n```sh\nrun\n```\n',
  outline: [{ level: 1, text: 'Connection pools', anchor: null, line: 1 }],
  metadata: { pageKind: 'hub', confidence: 0.7 },
  depth: 2,
  navLinks: 41,
};

const URLS = ['', 'guides/pools', 'guides/setup', 'guides/ports'].map((path) => pageUrl(`https://x.dev/${path}`));
const SITE: PageSite = {
  locate: createLocator(learnShape(URLS, pageUrl('https://x.dev/'), new Map([['guides', 'All guides']]))),
  terms: { chunks: 1000, frequencyOf: () => 3 },
  heuristics: [],
  places: null,
};

const analyzePage = (page: StoredText, version: number, site = SITE) =>
  analyze({ ...page, phrases: phraseCandidates(page) }, version, site);

test('a page keeps the kind that the crawl stored, with its hint, words, links and code', () => {
  expect(analyzePage(PAGE, 3)).toEqual({
    analysis_version: 3,
    kind: 'hub',
    confidence: 0.7,
    hint: 'nav',
    findings: { places: [] },
    notes: [],
    meta: {
      method: 'shape@1',
      wordCount: 11,
      depth: 2,
      section: { slug: 'guides', label: 'All guides' },
      pattern: '/guides/pools',
      navLinks: 41,
      contentLinks: 1,
      hasCode: true,
      deepAnalysis: { keyPhrases: [], sentiment: null },
    },
  });
});

test.each([
  [
    'prose',
    'article',
    `${'Each sentence of this text says something that a reader may want to know. '.repeat(12)}\n\n`.repeat(5),
  ],
  ['a list of links', 'hub', Array.from({ length: 60 }, (_, i) => `- [Guide number ${i}](/guides/${i})\n`).join('')],
])('a page without a stored kind is classified by its text: %s', (_name, kind, text) => {
  const analysis = analyzePage({ ...PAGE, metadata: {}, title: 'A', outline: [], text }, 1);
  expect(analysis.kind).toBe(kind);
  expect(analysis.notes).toEqual(['classified from the stored text']);
});

test('a kind that is not known, as of a newer program, is classified again', () => {
  expect(analyzePage({ ...PAGE, metadata: { pageKind: 'poem', confidence: 1 } }, 1).notes).toHaveLength(1);
});

test('a long text is analyzed in linear time', () => {
  const text = '[('.repeat(500_000);
  expect(analyzePage({ ...PAGE, metadata: {}, text }, 1).kind).toBeTypeOf('string');
});

test('a heuristic that is plugged in has its result under its name, with its version', () => {
  const heuristics = [
    { name: 'sentiment', version: 2, analyze: ({ title }: StoredText) => ({ mood: title.length }) },
    { name: 'silent', version: 1, analyze: () => null },
  ];
  const { deepAnalysis } = analyzePage(PAGE, 1, { ...SITE, heuristics }).meta;
  expect(deepAnalysis).toMatchObject({ sentiment: { mood: 16, version: 2 }, silent: null });
});

test('places are found in the title, the address and the text, with their offsets', () => {
  const france = { id: 75, name: 'France', kind: 'country', countryCode: 'FR', population: null } as const;
  const places = createPlaceMatcher([{ slug: 'france', place: france }]);
  const page = { ...PAGE, url: pageUrl('https://x.dev/world/france'), title: 'France today', text: 'In France.\n' };
  const found = { place: 'France', place_kind: 'country', place_id: 75, country_code: 'FR', method: 'gazetteer' };
  expect(analyzePage(page, 1, { ...SITE, places }).findings.places).toEqual([
    { ...found, source: 'title', offset_start: 0, offset_end: 6 },
    { ...found, source: 'url', offset_start: -1, offset_end: -1 },
    { ...found, source: 'text', offset_start: 3, offset_end: 9 },
  ]);
});

test('the id of a run has its time and six characters', () => {
  const id = analysisRunId(new Date('2026-11-18T05:21:34.000Z'), () => 0.999);
  expect(id).toBe('analysis-20261118052134-zzzzzz');
});
