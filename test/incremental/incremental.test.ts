// A site that changes between crawls, on both engines: what is read again, what is written, what goes and what stays.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../src/store/port.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../support/stores.ts';
import { aPage, canonical, createChangingSite, type Answer, type ChangingSite } from './changing-site.ts';
import { config } from './config.ts';
import { addSite, crawl as crawlWith, type CrawlOptions } from './crawl.ts';
import { heldPages, outcomes, paths } from './stored-pages.ts';

const TOPICS = ['queues', 'leases', 'fences', 'caches', 'search', 'backups', 'upgrades', 'hosts', 'pace'];
const pathOf = (topic: string): string => `/docs/${topic}.html`;
const frontPage = (topics: readonly string[], head = ''): Answer => aPage('the front', topics.map(pathOf), head);

function partOf(origin: string, topic: string, more: string): string {
  const text = `Whoever wants to know how ${topic} works in practice finds here what an operator has to do about it.`;
  return `# About ${topic}\nSource: ${origin}${pathOf(topic)}\n\n${text} ${more}\n\n`;
}

function plainSite(): Array<[string, Answer]> {
  const pages = TOPICS.map((topic): [string, Answer] => [pathOf(topic), aPage(topic, ['/docs/'])]);
  return [['/docs/', frontPage(TOPICS)], ...pages];
}

for (const [engine, open] of Object.entries({ sqlite: openTestSqlite, postgres: openTestPostgres })) {
  describe(engine, { timeout: 120_000 }, () => {
    let opened: TestStore;
    let site: ChangingSite;
    let source: Source;
    const store = () => opened.store;
    const held = () => heldPages(store(), source);
    const crawl = async (options: CrawlOptions = {}) =>
      (await crawlWith(store(), source, { threads: 1, ...options })).run;

    async function begin(answers: Iterable<readonly [string, Answer]>): Promise<void> {
      site = await createChangingSite(answers);
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

    test('[I1] [F4] an unchanged site costs one conditional request a page and no chunk is written', async () => {
      await begin(plainSite());
      expect(outcomes(await crawl())).toEqual({ new: 10 });
      const before = await held();
      site.taken();
      const run = await crawl();
      expect(outcomes(run)).toEqual({ unchanged: 10 });
      expect(site.taken().toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
        [...site.answers.keys()].toSorted().map((path) => ({ path, status: 304 })),
      );
      expect(await held()).toEqual(before);
    });

    test('[R9] a page that was checked not long ago is not asked again, for its kind', async () => {
      await begin(plainSite());
      await crawl();
      const before = await held();
      site.taken();
      site.answers.set(pathOf('queues'), aPage('queues, told anew'));
      const run = await crawl({ settings: { maxAge: ['1h'] } });
      expect(outcomes(run)).toEqual({ unchanged: 10 });
      expect(site.taken()).toEqual([]);
      expect(await held()).toEqual(before);

      const kinds = ['article', 'reference', 'hub', 'index', 'other'].map((kind) => `${kind}=1m`);
      await opened.sql('update pages set checked_at = checked_at - 120000, changed_at = changed_at - 120000');
      expect(outcomes(await crawl({ settings: { maxAge: ['1h', ...kinds] } }))).toEqual({ changed: 1, unchanged: 9 });
    });

    test('[R4] events older than their time are dropped when a run ends, and no number comes twice', async () => {
      await begin(plainSite());
      const first = await crawl();
      const last = await store().journal.lastSeq();
      const days = config.crawl.keepEventsDays;
      await opened.sql(`update events set at = at - ${(days + 1) * 86_400_000} where seq <= ${last - 3}`);
      const second = await crawl();
      expect((await store().journal.after(0, 1000, first.id)).map(({ seq }) => seq)).toEqual([
        last - 2,
        last - 1,
        last,
      ]);
      const later = await store().journal.after(0, 1000, second.id);
      expect(later.length).toBeGreaterThan(10);
      expect(later.every(({ seq }) => seq > last)).toBe(true);
    });

    test('[I1] [D2] an llms-full.txt that has not changed is not sent again, and what it holds stays', async () => {
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
      site.answers.set('/docs/llms.txt', list(topics)).set(path, whole(topics));
      expect(outcomes(await crawl())).toEqual({ new: 5 });
      const before = await held();
      expect(site.takenFile(path)).toEqual([200]);

      expect(outcomes(await crawl())).toEqual({ unchanged: 5 });
      expect(site.takenFile(path)).toEqual([304]);
      expect(await held()).toEqual(before);

      site.answers.set(path, whole(topics, 'It was written again.'));
      expect(outcomes(await crawl())).toEqual({ changed: 4, unchanged: 1 });
      expect(site.takenFile(path)).toEqual([200]);

      // What llms.txt lists decides how the file is read, so the same file is read again.
      const fewer = topics.slice(1);
      site.answers.set('/docs/llms.txt', list(fewer));
      await crawl();
      expect(site.takenFile(path)).toEqual([200]);
      await crawl({ mode: 'full' });
      expect(site.takenFile(path)).toEqual([200]);

      // A page that the file holds no more, and that nobody answers for, is gone.
      site.answers.set(path, whole(fewer, 'It was written again.'));
      expect(outcomes(await crawl())).toMatchObject({ gone: 1 });
      expect(paths(await held())).not.toContain(pathOf(topics[0] ?? ''));
    });

    test('[I2] [I4] new, changed, gone and moved pages are told apart, and only they are written', async () => {
      await begin(plainSite());
      await crawl();
      const before = new Map((await held()).map((page) => [page.url, page]));
      const [changed = '', gone = '', moved = ''] = TOPICS.map(pathOf);
      site.answers.set('/docs/', frontPage([...TOPICS, 'added']));
      site.answers.set(pathOf('added'), aPage('added'));
      site.answers.set(changed, aPage('queues', ['/docs/', '/docs/new-name.html']));
      site.answers.delete(gone);
      site.answers.set('/docs/new-name.html', site.answers.get(moved)!);
      site.answers.set(moved, { kind: 'redirect', to: '/docs/new-name.html' });

      const run = await crawl();
      expect(outcomes(run)).toEqual({ new: 2, changed: 2, gone: 1, moved: 1, unchanged: 6 });
      const after = await held();
      expect(paths(after)).not.toContain(gone);
      expect(paths(after)).not.toContain(moved);
      expect(after.find(({ url }) => url.endsWith('new-name.html'))?.aliases).toEqual([`${site.origin}${moved}`]);
      const same = after.filter(({ url, contentHash }) => before.get(url)?.contentHash === contentHash);
      expect(same).toHaveLength(6);
      expect(same.map(({ url }) => before.get(url))).toEqual(same);
    });

    test('[I4] refresh asks known pages only; full reads all of them again', async () => {
      await begin(plainSite());
      await crawl();
      site.answers.set('/docs/', frontPage([...TOPICS, 'added']));
      site.answers.set(pathOf('added'), aPage('added'));
      expect(outcomes(await crawl({ mode: 'refresh' }))).toEqual({ changed: 1, unchanged: 9 });
      site.taken();
      expect(outcomes(await crawl({ mode: 'full' }))).toEqual({ new: 1, unchanged: 10 });
      expect(new Set(site.taken().map(({ status }) => status))).toEqual(new Set([200]));
    });

    test('[S4] a run with a scope of its own leaves alone what lies outside it', async () => {
      await begin(plainSite());
      await crawl();
      site.answers.delete(pathOf('leases'));
      site.taken();
      expect(outcomes(await crawl({ settings: { allow: ['/docs/queues*'] } }))).toEqual({ unchanged: 1 });
      expect(site.taken().map(({ path }) => path)).toEqual([pathOf('queues')]);
      expect(await held()).toHaveLength(10);
    });

    test('[I3] a large share of a site is not removed before the user says so', async () => {
      await begin(plainSite());
      await crawl();
      for (const topic of TOPICS.slice(0, 6)) site.answers.delete(pathOf(topic));
      const run = await crawl();
      expect(outcomes(run)).toEqual({ missing: 6, unchanged: 4 });
      expect(run).toMatchObject({
        state: 'partial',
        reason: expect.stringContaining('6 pages are not found any more'),
      });
      const [problem] = await store().journal.problems(run.id);
      expect(problem).toMatchObject({ kind: 'removals-held', severity: 'error' });
      expect(problem?.message).toContain('--confirm-removals');
      expect(await held()).toHaveLength(10);

      expect(outcomes(await crawl({ settings: { confirmRemovals: true } }))).toEqual({ gone: 6, unchanged: 4 });
      expect(await held()).toHaveLength(4);
    });

    test('[I3] a site where every page has become a login loses nothing', async () => {
      await begin(plainSite());
      await crawl();
      const login = `<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form>`;
      for (const path of site.answers.keys()) site.answers.set(path, { kind: 'page', html: login });
      expect(outcomes(await crawl())).toEqual({ failed: 10 });
      expect(await held()).toHaveLength(10);
    });

    test('[I3] a site that fails half its requests loses nothing, not even what is gone', async () => {
      await begin(plainSite());
      await crawl();
      for (const topic of TOPICS.slice(0, 5)) site.answers.set(pathOf(topic), { kind: 'status', status: 403 });
      site.answers.delete(pathOf('pace'));
      const run = await crawl();
      expect(outcomes(run)).toEqual({ failed: 5, missing: 1, unchanged: 4 });
      expect(await held()).toHaveLength(10);
    });

    test('[I5] pages that other makers made are made again from their bodies, without the network', async () => {
      await begin(plainSite());
      await crawl();
      const before = await held();
      await opened.sql(`update pages set made_by = 'html@0 markdown@0', title = 'made by others'`);
      site.taken();
      expect(outcomes(await crawl())).toEqual({ unchanged: 10 });
      expect(new Set(site.taken().map(({ status }) => status))).toEqual(new Set([304]));
      expect(await held()).toEqual(before);
    });

    test('[S7] pages that are one stand once, whatever leads to them', async () => {
      await begin(twins());
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

    test('[S7] a folded page stands again when it, or the page that stands for it, changes or goes', async () => {
      await begin(twins());
      await crawl();
      site.answers.set('/docs/de/mod.html', aPage('a translation', ['./other.html']));
      expect(outcomes(await crawl())).toMatchObject({ changed: 1 });
      expect((await aliases())['/docs/en-gb/mod.html']).toEqual([]);
      const stands = (await held()).find(({ url }) => url.endsWith('/docs/en-gb/mod.html'));
      expect(stands?.chunks.length).toBeGreaterThan(0);

      site.answers.delete('/docs/guide.html');
      expect(outcomes(await crawl())).toMatchObject({ gone: expect.any(Number) });
      expect(paths(await held())).toContain('/docs/print/guide.html');
    });

    async function aliases(): Promise<Record<string, string[]>> {
      const pages = await held();
      return Object.fromEntries(
        pages.map((page) => [new URL(page.url).pathname, paths(page.aliases.map((url) => ({ url })))]),
      );
    }
  });
}

/** An index file, an untranslated copy with relative links, a print version, two redirects and a stub. */
function twins(): Array<[string, Answer]> {
  const front = aPage('twins', [
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
