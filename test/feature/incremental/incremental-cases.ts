// A site that changes between crawls: what is fetched again, what is written, what is removed and what
// is kept.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/store/port/sources.ts';
import type { TestStore } from '../../support/stores.ts';
import { aPage, canonical, createChangingSite, type Answer, type ChangingSite } from './changing-site.ts';
import { config } from '../../support/loopback-config.ts';
import { addSite, CHUNK_LIMITS, crawl as crawlWith, type CrawlOptions } from '../../support/measured-crawl.ts';
import { sharedParser } from '../../support/shared-parser.ts';
import { storedPages, outcomes, paths } from './stored-pages.ts';

const TOPICS = ['queues', 'leases', 'fences', 'caches', 'search', 'backups', 'upgrades', 'hosts', 'pace'];
const pathOf = (topic: string): string => `/docs/${topic}.html`;
const frontPage = (topics: readonly string[], head = ''): Answer => aPage('the front', topics.map(pathOf), head);

function partOf(origin: string, topic: string, more: string): string {
  const text = `Everyone who wants to know how ${topic} works in practice finds here what an operator has to do about it.`;
  return `# About ${topic}\nSource: ${origin}${pathOf(topic)}\n\n${text} ${more}\n\n`;
}

function plainSite(): Array<[string, Answer]> {
  const pages = TOPICS.map((topic): [string, Answer] => [pathOf(topic), aPage(topic, ['/docs/'])]);
  return [['/docs/', frontPage(TOPICS)], ...pages];
}

export function incrementalCases(engine: string, open: () => Promise<TestStore>): void {
  describe(engine, { timeout: 120_000 }, () => {
    let opened: TestStore;
    let site: ChangingSite;
    let source: Source;
    const store = () => opened.store;
    const stored = () => storedPages(store(), source);
    const crawl = async (options: CrawlOptions = {}) =>
      (await crawlWith(store(), source, { parser: sharedParser(CHUNK_LIMITS), ...options })).run;

    async function begin(responses: Iterable<readonly [string, Answer]>): Promise<void> {
      site = await createChangingSite(responses);
      source = await addSite(store(), 'almanac', `${site.origin}/docs/`);
    }

    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      expect(await store().verify()).toEqual([]);
      await opened.close();
      await site.close();
    });

    test('[I1] [F4] an unchanged site costs one conditional request per page, and no chunk is written', async () => {
      await begin(plainSite());
      expect(outcomes(await crawl())).toEqual({ new: 10 });
      const before = await stored();
      site.taken();
      const run = await crawl();
      expect(outcomes(run)).toEqual({ unchanged: 10 });
      expect(site.taken().toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
        [...site.responses.keys()].toSorted().map((path) => ({ path, status: 304 })),
      );
      expect(await stored()).toEqual(before);
    });

    test('[R9] a recently checked page is not fetched again, depending on its kind', async () => {
      await begin(plainSite());
      await crawl();
      const before = await stored();
      site.taken();
      site.responses.set(pathOf('queues'), aPage('queues, rewritten'));
      const run = await crawl({ settings: { maxAge: ['1h'] } });
      expect(outcomes(run)).toEqual({ unchanged: 10 });
      expect(site.taken()).toEqual([]);
      expect(await stored()).toEqual(before);

      const kinds = ['article', 'reference', 'hub', 'index', 'other'].map((kind) => `${kind}=1m`);
      await opened.sql('update pages set checked_at = checked_at - 120000, changed_at = changed_at - 120000');
      expect(outcomes(await crawl({ settings: { maxAge: ['1h', ...kinds] } }))).toEqual({ changed: 1, unchanged: 9 });
    });

    test('[R4] old events are pruned when a run ends, and no sequence number is reused', async () => {
      await begin(plainSite());
      const first = await crawl();
      const last = await store().journal.lastSeq();
      const days = config.crawl.eventRetentionDays;
      await opened.sql(`update events set at = at - ${(days + 1) * 86_400_000} where seq <= ${last - 3}`);
      const second = await crawl();
      // The run has ended before its history is tidied.
      const retained = async (): Promise<number[]> =>
        (await store().journal.after(0, 1000, first.id)).map(({ seq }) => seq);
      await expect.poll(retained, { timeout: 20_000 }).toEqual([last - 2, last - 1, last]);
      const later = await store().journal.after(0, 1000, second.id);
      expect(later.length).toBeGreaterThan(10);
      expect(later.every(({ seq }) => seq > last)).toBe(true);
    });

    test('[I1] [D2] an unchanged llms-full.txt is not downloaded again, and its pages are kept', async () => {
      const topics = TOPICS.slice(0, 4);
      const path = '/docs/llms-full.txt';
      const list = (of: readonly string[]): Answer => ({
        kind: 'text',
        text: `# Almanac\n\n${of.map((topic) => `- [About ${topic}](${pathOf(topic)})\n`).join('')}`,
      });
      const whole = (of: readonly string[], more = ''): Answer => ({
        kind: 'text',
        hasEtag: true,
        text: of.map((topic) => partOf(site.origin, topic, more)).join(''),
      });
      await begin([['/docs/', frontPage(topics)]]);
      site.responses.set('/docs/llms.txt', list(topics)).set(path, whole(topics));
      expect(outcomes(await crawl())).toEqual({ new: 5 });
      const before = await stored();
      expect(site.takenFile(path)).toEqual([200]);

      expect(outcomes(await crawl())).toEqual({ unchanged: 5 });
      expect(site.takenFile(path)).toEqual([304]);
      expect(await stored()).toEqual(before);

      // Runs that only fetch known pages ask for this file, and discover nothing.
      for (const mode of ['refresh', 'retry'] as const) {
        site.takenFiles();
        expect(outcomes(await crawl({ mode }))).toEqual(mode === 'refresh' ? { unchanged: 5 } : {});
        expect(site.takenFiles().filter((file) => file !== '/robots.txt')).toEqual([path]);
      }
      expect(await stored()).toEqual(before);

      site.responses.set(path, whole(topics, 'It was written again.'));
      expect(outcomes(await crawl())).toEqual({ changed: 4, unchanged: 1 });
      expect(site.takenFile(path)).toEqual([200]);

      // What llms.txt lists decides how the file is split, so the same file is split again.
      const fewer = topics.slice(1);
      site.responses.set('/docs/llms.txt', list(fewer));
      await crawl();
      expect(site.takenFile(path)).toEqual([200]);
      await crawl({ mode: 'full' });
      expect(site.takenFile(path)).toEqual([200]);

      // A page that the file no longer holds, and that no URL serves, is gone.
      site.responses.set(path, whole(fewer, 'It was written again.'));
      expect(outcomes(await crawl())).toMatchObject({ removed: 1 });
      expect(paths(await stored())).not.toContain(pathOf(topics[0] ?? ''));
    });

    test('[I2] [I4] new, changed, removed and moved pages are distinguished, and only they are written', async () => {
      await begin(plainSite());
      await crawl();
      const before = new Map((await stored()).map((page) => [page.url, page]));
      const [changed = '', gone = '', moved = ''] = TOPICS.map(pathOf);
      site.responses.set('/docs/', frontPage([...TOPICS, 'added']));
      site.responses.set(pathOf('added'), aPage('added'));
      site.responses.set(changed, aPage('queues', ['/docs/', '/docs/new-name.html']));
      site.responses.delete(gone);
      site.responses.set('/docs/new-name.html', site.responses.get(moved)!);
      site.responses.set(moved, { kind: 'redirect', to: '/docs/new-name.html' });

      const run = await crawl();
      expect(outcomes(run)).toEqual({ new: 2, changed: 2, removed: 1, moved: 1, unchanged: 6 });
      const after = await stored();
      expect(paths(after)).not.toContain(gone);
      expect(paths(after)).not.toContain(moved);
      expect(after.find(({ url }) => url.endsWith('new-name.html'))?.aliases).toEqual([`${site.origin}${moved}`]);
      const same = after.filter(({ url, contentHash }) => before.get(url)?.contentHash === contentHash);
      expect(same).toHaveLength(6);
      expect(same.map(({ url }) => before.get(url))).toEqual(same);
    });

    test('[I4] refresh fetches stored pages only; full processes all of them again', async () => {
      await begin(plainSite());
      await crawl();
      site.responses.set('/docs/', frontPage([...TOPICS, 'added']));
      site.responses.set(pathOf('added'), aPage('added'));
      site.taken();
      site.takenFiles();
      expect(outcomes(await crawl({ mode: 'refresh' }))).toEqual({ changed: 1, unchanged: 9 });
      expect(site.taken()).toHaveLength(10);
      expect(site.takenFiles().filter((path) => path !== '/robots.txt')).toEqual([]);
      expect(outcomes(await crawl({ mode: 'full' }))).toEqual({ new: 1, unchanged: 10 });
      expect(new Set(site.taken().map(({ status }) => status))).toEqual(new Set([200]));
    });

    test('[S4] a run with its own URL filter leaves pages outside it alone', async () => {
      await begin(plainSite());
      await crawl();
      site.responses.delete(pathOf('leases'));
      site.taken();
      expect(outcomes(await crawl({ settings: { include: ['/docs/queues*'] } }))).toEqual({ unchanged: 1 });
      expect(site.taken().map(({ path }) => path)).toEqual([pathOf('queues')]);
      expect(await stored()).toHaveLength(10);
    });

    test('[I3] a large share of a site is not removed before the user confirms it', async () => {
      await begin(plainSite());
      await crawl();
      for (const topic of TOPICS.slice(0, 6)) site.responses.delete(pathOf(topic));
      const run = await crawl();
      expect(outcomes(run)).toEqual({ missing: 6, unchanged: 4 });
      expect(run).toMatchObject({
        state: 'partial',
        reason: expect.stringContaining('6 pages are missing'),
      });
      const [problem] = await store().journal.problems(run.id);
      expect(problem).toMatchObject({ kind: 'removals-deferred', severity: 'error' });
      expect(problem?.message).toContain('--confirm-removals');
      expect(await stored()).toHaveLength(10);

      expect(outcomes(await crawl({ settings: { confirmRemovals: true } }))).toEqual({ removed: 6, unchanged: 4 });
      expect(await stored()).toHaveLength(4);
    });

    test('[I3] a site where every page has become a login loses nothing', async () => {
      await begin(plainSite());
      await crawl();
      const login = `<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form>`;
      for (const path of site.responses.keys()) site.responses.set(path, { kind: 'page', html: login });
      expect(outcomes(await crawl())).toEqual({ failed: 10 });
      expect(await stored()).toHaveLength(10);
    });

    test('[I3] a site that fails half its requests loses nothing, not even what was deleted', async () => {
      await begin(plainSite());
      await crawl();
      for (const topic of TOPICS.slice(0, 5)) site.responses.set(pathOf(topic), { kind: 'status', status: 403 });
      site.responses.delete(pathOf('pace'));
      const run = await crawl();
      expect(outcomes(run)).toEqual({ failed: 5, missing: 1, unchanged: 4 });
      expect(await stored()).toHaveLength(10);
    });

    test('[I5] pages of an outdated pipeline are reprocessed from their bodies, without the network', async () => {
      await begin(plainSite());
      await crawl();
      const before = await stored();
      await opened.sql(`update pages set pipeline_version = 'html@0 markdown@0', title = 'outdated'`);
      site.taken();
      expect(outcomes(await crawl())).toEqual({ unchanged: 10 });
      expect(new Set(site.taken().map(({ status }) => status))).toEqual(new Set([304]));
      expect(await stored()).toEqual(before);
    });

    test('[S7] duplicates are stored once, whatever links to them', async () => {
      await begin(duplicates());
      const run = await crawl();
      expect(outcomes(run)).toEqual({ new: 3, moved: 6 });
      expect(await aliases()).toEqual({
        '/docs/': ['/docs/index.html'],
        '/docs/de/mod.html': ['/docs/en-gb/mod.html'],
        '/docs/guide.html': [
          '/docs/old-guide.html',
          '/docs/older-guide.html',
          '/docs/print/guide.html',
          '/docs/stub.html',
        ],
      });
      site.taken();
      expect(outcomes(await crawl())).toEqual({ unchanged: 3, moved: 6 });
      const statuses = site.taken().filter(({ path }) => !/old|stub/.test(path) && path !== '/docs/guide.html');
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([304]));
    });

    test('[S7] an alias is restored when it, or its canonical page, changes or is removed', async () => {
      await begin(duplicates());
      await crawl();
      site.responses.set('/docs/de/mod.html', aPage('a translation', ['./other.html']));
      expect(outcomes(await crawl())).toMatchObject({ changed: 1 });
      expect((await aliases())['/docs/en-gb/mod.html']).toEqual([]);
      const restored = (await stored()).find(({ url }) => url.endsWith('/docs/en-gb/mod.html'));
      expect(restored?.chunks.length).toBeGreaterThan(0);

      site.responses.delete('/docs/guide.html');
      expect(outcomes(await crawl())).toMatchObject({ removed: expect.any(Number) });
      expect(paths(await stored())).toContain('/docs/print/guide.html');
    });

    async function aliases(): Promise<Record<string, string[]>> {
      const pages = await stored();
      return Object.fromEntries(
        pages.map((page) => [new URL(page.url).pathname, paths(page.aliases.map((url) => ({ url })))]),
      );
    }
  });
}

/** An index file, an untranslated copy with relative links, a print version, two redirects and a stub. */
function duplicates(): Array<[string, Answer]> {
  const front = aPage('duplicates', [
    'index.html',
    'de/mod.html',
    'en-gb/mod.html',
    'print/guide.html',
    'old-guide.html',
    'older-guide.html',
    'stub.html',
  ]);
  const copy = aPage('a module', ['#words', './mod.html#words']);
  const refresh = '<!doctype html><title>Redirection</title><meta http-equiv="refresh" content="0; url=guide.html">';
  return [
    ['/docs/', front],
    ['/docs/index.html', front],
    ['/docs/de/mod.html', copy],
    ['/docs/en-gb/mod.html', copy],
    ['/docs/guide.html', aPage('a guide')],
    ['/docs/print/guide.html', aPage('a guide on paper', [], canonical('/docs/guide.html'))],
    ['/docs/old-guide.html', { kind: 'redirect', to: '/docs/guide.html' }],
    ['/docs/older-guide.html', { kind: 'redirect', to: '/docs/old-guide.html' }],
    ['/docs/stub.html', { kind: 'page', html: `${refresh}<p>Redirecting to <a href="guide.html">the guide</a></p>` }],
  ];
}
