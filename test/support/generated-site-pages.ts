// A documentation site as data: the same seed and size give the same pages, links and texts. It knows its own oracle:
// what a crawl from `/docs/` must store, deduplicate, exclude and find missing.

import { createRandom } from './random.ts';

export type SitePage =
  | { readonly kind: 'page'; readonly title: string; readonly html: string }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'absent' };

export interface SitePages {
  /** By path; any other path is missing. */
  readonly byPath: ReadonlyMap<string, SitePage>;
  readonly robots: string;
  readonly oracle: SiteOracle;
}

/** All by path. The first five together are what a crawl accepts. */
export interface SiteOracle {
  /** Must be stored, each with a unique sentence. */
  readonly stored: ReadonlyMap<string, string>;
  /** Lead to a stored page: by redirect, or by rel=canonical. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly copies: ReadonlyMap<string, string>;
  /** How often a crawler may fetch it again while it follows redirects; 0 for most. */
  readonly hops: (path: string) => number;
  readonly absent: readonly string[];
  readonly noindex: readonly string[];
  /** Linked, but must never be fetched. */
  readonly disallowed: readonly string[];
  readonly outOfScope: readonly string[];
}

export const SLOW_PATH = '/docs/slow';
export const START_PATH = '/docs/';

const DISALLOWED = ['/docs/private/', '/docs/private/keys'];
const OUT_OF_SCOPE = ['/blog/news', '/'];
const ABSENT = '/docs/removed';
const NOINDEX = '/docs/drafts';
const BEHIND_NOINDEX = '/docs/behind-drafts';
const LINKS_ACROSS = 4;

export function createSitePages(size: number, seed: number): SitePages {
  const random = createRandom(seed);
  const guides = Array.from({ length: size }, (_, i) => `/docs/guide/${topicOf(i)}-${i}`);
  const stored = [START_PATH, ...guides, SLOW_PATH, BEHIND_NOINDEX];
  const redirects = new Map([
    ['/docs/old-name', guides[3 % size]!],
    ['/docs/older-name', '/docs/old-name'],
  ]);
  const copies = new Map([
    ['/docs/print/first', guides[0]!],
    ['/docs/print/last', guides.at(-1)!],
  ]);
  const corners = [
    SLOW_PATH,
    NOINDEX,
    ABSENT,
    ...redirects.keys(),
    ...copies.keys(),
    ...DISALLOWED,
    ...OUT_OF_SCOPE,
    'https://elsewhere.invalid/docs/',
  ];
  const linksOf = (i: number): string[] => {
    const tree = [2 * i + 1, 2 * i + 2].filter((child) => child < size).map((child) => guides[child]!);
    const across = Array.from({ length: LINKS_ACROSS }, () => guides[Math.floor(random() * size)]!);
    return [START_PATH, ...tree, ...across];
  };

  const byPath = new Map<string, SitePage>();
  const add = (path: string, links: readonly string[], head = ''): void => {
    const title = titleOf(path);
    byPath.set(path, { kind: 'page', title, html: htmlOf({ path, title, links, head }) });
  };
  add(START_PATH, [guides[0]!, ...corners]);
  guides.forEach((path, i) => add(path, linksOf(i)));
  add(SLOW_PATH, [START_PATH]);
  add(NOINDEX, [BEHIND_NOINDEX], '<meta name="robots" content="noindex">');
  add(BEHIND_NOINDEX, [START_PATH]);
  for (const [from, to] of redirects) byPath.set(from, { kind: 'redirect', to });
  for (const [from, to] of copies) add(from, [START_PATH], `<link rel="canonical" href="${to}">`);
  for (const path of [...DISALLOWED, ...OUT_OF_SCOPE]) add(path, []);

  return {
    byPath,
    robots: 'User-agent: *\nDisallow: /docs/private/\n',
    oracle: {
      stored: new Map(stored.map((path) => [path, sentenceOf(path)])),
      redirects: new Map([...redirects.keys()].map((from) => [from, chainFrom(from, redirects).at(-1)!])),
      hops: (path) => [...redirects.keys()].filter((from) => chainFrom(from, redirects).includes(path)).length,
      copies,
      absent: [ABSENT],
      noindex: [NOINDEX],
      disallowed: DISALLOWED,
      outOfScope: OUT_OF_SCOPE,
    },
  };
}

/** Every path after the first, to the end. */
function chainFrom(from: string, redirects: ReadonlyMap<string, string>): string[] {
  const to = redirects.get(from);
  return to === undefined ? [] : [to, ...chainFrom(to, redirects)];
}

const TOPICS = ['queues', 'leases', 'fences', 'caching', 'search', 'backups', 'upgrades'];

function topicOf(i: number): string {
  return TOPICS[i % TOPICS.length]!;
}

function titleOf(path: string): string {
  return path === START_PATH ? 'Almanac documentation' : `About ${path.split('/').filter(Boolean).at(-1)}`;
}

/** Words of letters only, so that a search for them does not depend on how numbers are tokenized. */
function sentenceOf(path: string): string {
  const name = Array.from(path, (letter) => LETTERS[letter.charCodeAt(0) % LETTERS.length]).join('');
  return `The mark of this page is mark${name} and no other page carries it.`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

interface Parts {
  readonly path: string;
  readonly title: string;
  readonly links: readonly string[];
  readonly head: string;
}

function htmlOf({ path, title, links, head }: Parts): string {
  const items = links.map((to) => `<li><a href="${to}">${titleOf(to)}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
<nav><a href="${START_PATH}">Home</a></nav>
<main><article><h1 id="top">${title}</h1>
<p>This page of the almanac explains how the parts of the system work together when a machine stops without warning,
and what an operator has to do about it, which is nothing in most cases.</p>
<h2 id="what-it-promises">What it promises</h2>
<p>${sentenceOf(path)} A second reading finds the same words in the same order.</p>
<h2 id="read-on">Read on</h2>
<p>These pages say more about it.</p><ul>${items}</ul>
</article></main></body></html>`;
}
