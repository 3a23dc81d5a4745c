// Permanent changes of a source: its settings, its name and its schedule.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createLibrary, ENGINES, storedUrls, type Library } from '../../support/library.ts';

interface Edited {
  readonly source: string;
  readonly changed: readonly string[];
  readonly excludedPages: number;
  readonly nextRunAt: string | null;
}

interface Listed {
  readonly sources: readonly { readonly source: string; readonly nextRunAt: string | null }[];
}

interface Status {
  readonly runs: readonly { readonly state: string; readonly counts: { readonly removed: number } }[];
  readonly scheduled: readonly { readonly source: string }[];
}

let site: SiteServer;
beforeAll(async () => void (site = await createSiteServer({ size: 8 })));
afterAll(() => site.close());

test(
  'the version of the documentation is not confused with the version of the program',
  { timeout: 120_000 },
  async () => {
    const library = await createLibrary('sqlite');
    expect(await library.run('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(await library.run('add', site.start, '--name', 'docs', '--version', '3.2', '--wait')).toMatchObject({
      code: 0,
    });
    expect(await library.json('list')).toMatchObject({ sources: [{ versions: [{ version: '3.2' }] }] });
    expect(await library.json('search', 'almanac', '--version', '^3.0')).toMatchObject({ mode: 'lexical' });
    await library.remove();
  },
);

describe.each(ENGINES)('%s', (engine) => {
  let library: Library;
  beforeAll(async () => {
    library = await createLibrary(engine);
    expect(await library.run('add', site.start, '--name', 'docs', '--wait')).toMatchObject({ code: 0 });
  }, 180_000);
  afterAll(() => library.remove());

  test('[S4] pages that new settings exclude stay until the next run removes them', async () => {
    const before = await storedUrls(library);
    const first = before.find((url) => url.includes('/docs/guide/')) ?? '';
    const { pathname } = new URL(first);
    const edited: Edited = await library.json('edit', 'docs', '--exclude', pathname, '--max-pages', '100');
    expect(edited).toEqual({ source: 'docs', changed: ['exclude', 'maxPages'], excludedPages: 1, nextRunAt: null });
    expect(await storedUrls(library)).toEqual(before);

    expect(await library.run('recrawl', 'docs', '--wait')).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(before.filter((url) => url !== first));
    expect(await library.run('verify')).toMatchObject({ code: 0 });

    const again: Edited = await library.json('edit', 'docs', '--exclude', 'none', '--max-pages', 'none');
    expect(again).toMatchObject({ changed: ['exclude', 'maxPages'], excludedPages: 0 });
    expect(await library.run('recrawl', 'docs', '--wait')).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(before);
  });

  test('[I6] a source with an interval is recrawled automatically, once', async () => {
    const edited: Edited = await library.json('edit', 'docs', '--every', '1d');
    expect(edited).toMatchObject({ changed: ['every'] });
    const hours = (Date.parse(edited.nextRunAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    const listed: Listed = await library.json('list');
    expect(listed.sources).toMatchObject([{ source: 'docs', nextRunAt: edited.nextRunAt }]);
    expect(await library.run('status')).toMatchObject({
      stdout: expect.stringContaining('Next run of docs'),
    });

    const before: Status = await library.json('status');
    await library.sql('update sources set due_at = 1');
    const workers = [library.start('worker'), ...(engine === 'postgres' ? [library.start('worker')] : [])];
    try {
      let status: Status = before;
      for (let times = 0; times < 100 && !isDone(status, before); times += 1) {
        await wait(200);
        status = await library.json('status');
      }
      expect(status.runs).toHaveLength(before.runs.length + 1);
      expect(status.runs[0]).toMatchObject({ state: 'completed', mode: 'incremental' });
      expect(status.scheduled).toMatchObject([{ source: 'docs' }]);
    } finally {
      for (const worker of workers) worker.kill('SIGTERM');
      await Promise.all(workers.map(({ ended }) => ended));
    }
    expect(await library.json('edit', 'docs', '--every', 'none')).toMatchObject({ nextRunAt: null });
  });

  test('an invalid change is refused with its reason', async () => {
    for (const [args, message] of [
      [['--every', '5m'], '15m'],
      [['--max-pages', 'many'], 'must be a number'],
    ] as const)
      expect(await library.run('edit', 'docs', ...args)).toMatchObject({ stderr: expect.stringContaining(message) });
    expect(await library.run('edit', 'nowhere', '--every', '1d')).toMatchObject({
      stderr: expect.stringContaining('nowhere'),
    });
    expect(await library.json('edit', 'docs', '--name', 'handbook')).toMatchObject({ changed: ['name'] });
    expect(await library.run('search', 'almanac', '--source', 'handbook')).toMatchObject({ code: 0 });
  });
});

function isDone({ runs }: Status, before: Status): boolean {
  return runs.length > before.runs.length && runs[0]?.state === 'completed';
}
