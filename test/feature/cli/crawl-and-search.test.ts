// A user adds a site, waits, and searches: through the real program, on both engines, against a site that knows the expected
// result.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createLibrary, ENGINES, storedUrls, type Library } from '../../support/library.ts';
import type { ProgramResult } from '../../support/program.ts';

const SIZE = 24;

interface RunAnswer {
  readonly run: number;
  readonly source: string;
  readonly state: string;
  readonly reason: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

for (const engine of ENGINES) {
  describe(engine, { timeout: 120_000 }, () => {
    let site: SiteServer;
    let library: Library;
    let added: ProgramResult;

    beforeAll(async () => {
      site = await createSiteServer({ size: SIZE });
      library = await createLibrary(engine);
      added = await library.run('add', site.start, '--name', 'almanac', '--wait');
    });
    afterAll(async () => {
      await site.close();
      await library.remove();
    });

    test('[R2] add --wait exits 0 and reports how the run ended', () => {
      expect(added).toMatchObject({ code: 0 });
      expect(added.stdout).toMatch(/^Run 1 of almanac completed/);
      expect(added.stdout).toContain(`${site.oracle.stored.size} new`);
    });

    test('[U2] without a terminal, progress is a line every ten seconds (finding T1.4)', () => {
      const lines = added.stderr.trim().split('\n');
      expect(lines.at(-1)).toMatch(/^almanac completed: (\d+) of \1 URLs$/);
      expect(lines.length).toBeLessThan(10);
      expect(lines.join('')).not.toContain('{');
    });

    test('[S2] [S7] stores exactly the pages of the site, each under one URL', async () => {
      const expected = [...site.oracle.stored.keys()].map((path) => `${site.origin}${path}`).toSorted();
      expect(await storedUrls(library)).toEqual(expected);
    });

    test('[R2] every accepted URL is counted under one outcome', async () => {
      const { runs } = (await library.json('status')) as { runs: RunAnswer[] };
      const { stored, redirects, copies, absent, noindex, disallowed, outOfScope } = site.oracle;
      const moved = redirects.size + copies.size;
      expect(runs).toHaveLength(1);
      expect(runs[0]).toMatchObject({ run: 1, source: 'almanac', state: 'completed' });
      expect(runs[0]?.counts).toMatchObject({
        found: stored.size + moved + absent.length + noindex.length,
        new: stored.size,
        moved,
        'not-found': absent.length,
        skipped: noindex.length,
        excluded: disallowed.length + outOfScope.length + 1,
        queued: 0,
        failed: 0,
      });
    });

    test('[R2] [S5] status of one run groups excluded, skipped and removed URLs by reason', async () => {
      const { oracle } = site;
      const { reasons } = (await library.json('status', '1')) as { reasons: Array<Record<string, unknown>> };
      const under = (outcome: string, reason: RegExp): number =>
        reasons
          .filter((one) => one['outcome'] === outcome && reason.test(String(one['reason'])))
          .reduce((sum, { count }) => sum + Number(count), 0);
      expect(under('excluded', /^robots-disallow: .*Disallow: \/docs\/private\//)).toBe(oracle.disallowed.length);
      expect(under('excluded', /^out-of-scope: /)).toBe(oracle.outOfScope.length + 1);
      expect(under('skipped', /^noindex$/)).toBe(oracle.noindex.length);
      expect(under('not-found', /^status 404$/)).toBe(oracle.absent.length);
      const { stdout } = await library.run('status', '1');
      expect(stdout).toContain(`${oracle.disallowed.length} excluded: robots-disallow: robots.txt line 2`);
      expect(stdout).toContain(`${site.origin}/docs/private/`);
    });

    test('[F1] fetches robots.txt first and once, and never what it disallows', () => {
      const { requests } = site;
      expect(requests[0]).toMatchObject({ path: '/robots.txt' });
      expect(requests.filter(({ path }) => path === '/robots.txt')).toHaveLength(1);
      expect(new Set(requests.map(({ userAgent }) => userAgent)).size).toBe(1);
      expect(requests[0]?.userAgent).toMatch(/^pinakes\/\d/);
      const requested = new Set(requests.map(({ path }) => path));
      for (const path of [...site.oracle.disallowed, ...site.oracle.outOfScope]) expect(requested).not.toContain(path);
    });

    test('fetches every URL once, and a redirect target at most once more per redirect to it', () => {
      const tooOften = [...site.requestCounts()].filter(([path, times]) => times > 1 + site.oracle.hops(path));
      expect(tooOften).toEqual([]);
    });

    test('search --json finds the sentence of a page and cites its URL with an anchor', async () => {
      for (const [path, sentence] of [...site.oracle.stored].slice(0, 3)) {
        const answer: { mode: string; searched: string[]; passages: Array<Record<string, unknown>> } =
          await library.json('search', sentence);
        expect(answer).toMatchObject({ searched: ['almanac'] });
        expect(answer.passages[0]).toMatchObject({ source: 'almanac' });
        expect(answer.passages[0]?.['url']).toMatch(new RegExp(`^${site.origin}${path}#[a-z-]+$`));
        expect(answer.passages[0]?.['text']).toContain(sentence);
      }
    });

    test('[X6] search works without a model and states its mode', async () => {
      expect(await library.json('search', 'machine stops without warning')).toMatchObject({ mode: 'lexical' });
    });

    test('search prints headings, URL and text', async () => {
      const [path, sentence] = [...site.oracle.stored][1]!;
      const { code, stdout } = await library.run('search', sentence, '--limit', '1');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^About .*\n1\. /);
      expect(stdout).toContain(`  ${site.origin}${path}  (`);
      expect(stdout).toContain(sentence.slice(0, 60));
    });

    test('the words of a query need no quotes (finding T1.12)', async () => {
      const [, sentence] = [...site.oracle.stored][1]!;
      const { stdout } = await library.run('search', sentence, '--limit', '1');
      expect(await library.run('search', ...sentence.split(' '), '--limit', '1')).toMatchObject({ code: 0, stdout });
    });

    test('--path is the path on the site, or below the start of the source (finding T1.5)', async () => {
      const paths = [...site.oracle.stored.keys()].filter((path) => path.startsWith('/docs/guide/')).toSorted();
      const [, sentence] = [...site.oracle.stored].find(([path]) => path === paths[0])!;
      for (const path of ['/docs/guide', 'guide/']) {
        const outline: { pages: Array<{ path: string }> } = await library.json('outline', 'almanac', '--path', path);
        expect(outline.pages.map((page) => page.path)).toEqual(paths.map((one) => `${site.origin}${one}`));
        const answer: { passages: Array<{ url: string }> } = await library.json('search', sentence, '--path', path);
        expect(answer.passages[0]?.url).toContain(paths[0]);
      }
      const nowhere = await library.run('search', sentence, '--path', '/nowhere');
      expect(nowhere).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('No page of almanac begins with /nowhere'),
      });
    });

    test('read and page find a page by the path that search and outline accept (finding T10)', async () => {
      const [path = ''] = [...site.oracle.stored.keys()].filter((one) => one.startsWith('/docs/guide/')).toSorted();
      for (const target of [path, path.replace('/docs/', '')]) {
        const page: { url: string } = await library.json('read', target, '--source', 'almanac');
        expect(page.url).toBe(`${site.origin}${path}`);
        expect(await library.json('page', 'almanac', target)).toMatchObject({ url: `${site.origin}${path}` });
      }
    });

    test('pages, page, history, backlinks, health and list print columns (finding T1.18)', async () => {
      const [path = ''] = [...site.oracle.stored.keys()];
      const about = ['almanac', `${site.origin}${path}`];
      const commands = [
        ['pages', 'almanac'],
        ['page', ...about],
        ['revisions', ...about],
        ['backlinks', ...about],
      ];
      const printed = await Promise.all([...commands, ['stats'], ['list']].map((args) => library.run(...args)));
      expect(printed.map(({ code, stderr }) => [code, stderr])).toEqual(printed.map(() => [0, '']));
      const [pages = '', page = '', history = '', backlinks = '', health = '', list = ''] = printed.map(
        ({ stdout }) => stdout,
      );
      expect(pages).toMatch(/^URL +Title +Kind +Chunks +Changed +Checked\n/);
      expect(pages.trimEnd().split('\n')).toHaveLength(site.oracle.stored.size + 1);
      expect(page).toMatch(/^Title +Almanac documentation\n/);
      expect(page).toMatch(/\nChunk +Kind +Lines +Tokens +Headings\n[\da-f]{12} {2}/);
      expect(history).toBe(`${about[1]} has not changed since it was first stored.\n`);
      expect(backlinks).toMatch(/^URL +Title\nhttp/);
      expect(health).toMatch(/\nalmanac +\d+ +\d+ +\d+ {2}20\d\d-\d\d-\d\d \d\d:\d\d {2}completed$/m);
      expect(list).toMatch(
        new RegExp(`^Source .*\\nalmanac +indexed +${site.oracle.stored.size} .*${RegExp.escape(site.start)}`),
      );
    });

    test('a search without results exits 0 and names the searched sources', async () => {
      const nothing = await library.run('search', 'xyzzyplugh');
      expect(nothing).toMatchObject({ code: 0, stderr: '' });
      expect(nothing.stdout).toContain('almanac');
      expect(await library.json('search', 'xyzzyplugh')).toMatchObject({ searched: ['almanac'], passages: [] });
    });

    test('status, list and verify print text and exit 0', async () => {
      const [status, list, verify] = await Promise.all([
        library.run('status'),
        library.run('list'),
        library.run('verify'),
      ]);
      expect(status).toMatchObject({ code: 0, stderr: '' });
      expect(status.stdout).toMatch(/^Run 1 of almanac completed/);
      expect(list).toMatchObject({ code: 0, stderr: '' });
      expect(verify).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`(${engine})`) });
    });

    test('list and verify print JSON with --json', async () => {
      const version = { version: '', pages: site.oracle.stored.size };
      expect(await library.json('list')).toMatchObject({
        sources: [{ source: 'almanac', startUrl: site.start, versions: [version] }],
      });
      expect(await library.json('verify')).toMatchObject({ database: engine, violations: [] });
    });

    test('preview shows one page as Markdown and stores nothing', async () => {
      const draft = `${site.origin}${site.oracle.noindex[0]}`;
      const before = await storedUrls(library);
      const { code, stdout } = await library.run('preview', draft);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^# About drafts\n/);
      expect(stdout).toContain('## What it promises');
      expect(await library.json('preview', draft)).toMatchObject({ url: draft, title: 'About drafts' });
      expect(await storedUrls(library)).toEqual(before);
    });

    test('verify exits 1 and names the invariant when a counter does not equal its rows', async () => {
      await library.sql('update runs set n_new = n_new + 1 where id = 1');
      const broken = await library.run('verify');
      await library.sql('update runs set n_new = n_new - 1 where id = 1');
      expect(broken.code).toBe(1);
      expect(broken.stdout).toMatch(/^[a-z0-9-]+ {2}\S/i);
    });

    test('adding the same name twice exits 1 and says what to do', async () => {
      const again = await library.run('add', site.start, '--name', 'almanac');
      expect(again).toMatchObject({ code: 1, stdout: '' });
      expect(again.stderr).toContain('The source almanac already exists');
      expect(again.stderr).toContain('--name');
    });

    test('[U2] an unknown run exits 1, with a message or with JSON', async () => {
      const plain = await library.run('status', '99');
      expect(plain).toMatchObject({ code: 1, stdout: '' });
      expect(plain.stderr).toBe('There is no run 99.\nRun pinakes status to list the runs.\n');
      const json = await library.run('status', '99', '--json');
      expect(json).toMatchObject({ code: 1, stdout: '' });
      expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'run.unknown' } });
    });
  });
}
