// Store contract: the journal.

import { expect, test } from 'vitest';
import { createRunFixture, claimAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import type { Store } from '../../src/store/port.ts';

export function journalContract(store: () => Store): void {
  test('settlements append events, numbered in order without gaps', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await store().frontier.settle(
      (await claimAll(store())).map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'x'))),
    );
    await store().journal.append(run.id, [{ kind: 'note', url: null, detail: { n: 1 } }]);
    await store().runs.finish(lease, 'completed', null);
    const events = await store().journal.after(0, 100, run.id);
    expect(events.map((event) => event.kind)).toEqual(['run-started', 'new', 'new', 'note', 'run-ended']);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await store().journal.lastSeq()).toBe(5);
    expect(await store().journal.after(2, 1)).toEqual([events[2]]);
  });

  test('what a worker reports about a run whose source was removed is not stored', async () => {
    const { source, run } = await createRunFixture(store(), ['https://x.dev/a']);
    const { journal, analysis, sources } = store();
    const append = () => journal.append(run.id, [{ kind: 'note', url: null, detail: {} }]);
    for (let n = 0; n < 2; n += 1) await append();
    await sources.remove(source.id);
    for (let n = 0; n < 2; n += 1) await append();
    const about = { scope: 'run', target: 'x.dev', message: 'late', details: {} };
    await journal.reportProblem({ run: run.id, kind: 'run-failed', severity: 'warning', ...about });
    const milestone = { kind: 'seeds-prepared', ...about } as const;
    expect(await journal.recordMilestone(run.id, milestone)).toBe(false);
    expect(await analysis.award(run.version, milestone, run.id)).toBe(false);
    expect(await journal.after(0, 10)).toEqual([]);
  });

  test('the start event of a run has its settings, without headers', async () => {
    const { id, versions } = await store().sources.add(
      {
        name: 'told',
        kind: 'web',
        startUrl: 'https://x.dev/',
        settings: { scope: 'host', maxPages: 7, headers: ['a: b'] },
      },
      '',
    );
    await store().runs.start(versions[0]!.id, 'full', { maxPages: 3 });
    const lease = await store().runs.lease('worker-1', 60_000);
    expect(lease?.run.source).toBe(id);
    const [started] = await store().journal.after(0, 1, lease!.run.id);
    expect(started?.detail).toEqual({ mode: 'full', settings: { scope: 'host', maxPages: 3 } });
  });

  test('events are read newest first, of one kind, and page by page', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await store().frontier.settle(
      (await claimAll(store())).map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'x'))),
    );
    await store().runs.finish(lease, 'completed', null);
    const read = async (kind: string | null, before: number | null, after: number | null = null) =>
      (await store().journal.list({ run: run.id, kind, before, after, limit: 2 })).map((event) => event.seq);
    expect(await read(null, null)).toEqual([4, 3]);
    expect(await read(null, 3)).toEqual([2, 1]);
    expect(await read('new', null)).toEqual([3, 2]);
    expect(await read(null, null, 1)).toEqual([3, 2]);
    expect(await read('run-ended', null, 1)).toEqual([4]);
    const everywhere = async (kind: string | null) =>
      (await store().journal.list({ run: null, kind, before: null, after: null, limit: 10 })).map((event) => event.seq);
    expect(await everywhere(null)).toEqual([4, 3, 2, 1]);
    expect(await everywhere('new')).toEqual([3, 2]);
  });

  test('a repeated problem is counted, and a milestone is reached once', async () => {
    const { run } = await createRunFixture(store());
    const problem = {
      run: run.id,
      kind: 'needs-rendering',
      severity: 'warning',
      scope: 'page',
      target: 'https://x.dev/a',
      message: 'An empty shell',
      details: {},
    } as const;
    await store().journal.reportProblem(problem);
    await store().journal.reportProblem(problem);
    expect(await store().journal.problems(run.id)).toMatchObject([{ ...problem, count: 2 }]);
    const all = { run: null, kind: null, scope: null, severity: null, before: null, after: null, limit: 10 };
    expect(await store().journal.listProblems(all)).toMatchObject([{ ...problem, count: 2 }]);
    for (const other of [{ kind: 'other' }, { scope: 'host' }, { severity: 'error' } as const, { after: 1 }])
      expect(await store().journal.listProblems({ ...all, ...other })).toEqual([]);
    const about = { scope: 'x.dev', target: 'https://x.dev/', message: '1,000 pages' };
    const reached = { kind: '1k-pages', ...about, details: { kind: 'other', pages: 1000 } };
    const { journal } = store();
    expect(await journal.recordMilestone(run.id, reached)).toBe(true);
    expect(await journal.recordMilestone(run.id, { ...reached, message: 'again', details: {} })).toBe(false);
    expect(await journal.milestones(run.id)).toMatchObject([reached]);
    for (const same of [{ job: String(run.id) }, { kind: '1k-pages' }, { scope: 'x.dev' }])
      expect(await journal.listMilestones({ ...all, job: null, ...same })).toMatchObject([
        { id: 1, run: run.id, ...reached },
      ]);
    for (const other of [{ kind: 'other' }, { scope: 'run' }, { job: 'analysis-run' }, { after: 1 }])
      expect(await journal.listMilestones({ ...all, job: null, ...other })).toEqual([]);
    const events = await store().journal.after(0, 100, run.id);
    expect(events.map(({ kind, detail }) => [kind, detail['kind']])).toEqual([
      ['run-started', undefined],
      ['problem', 'needs-rendering'],
      ['milestone', '1k-pages'],
    ]);
    expect(events.at(-1)?.detail).toEqual(reached);
    expect(await journal.recordMilestone(run.id, { ...reached, scope: 'y.dev' })).toBe(true);
  });

  test('pausing, resuming and stopping append events, but only if they take effect', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    expect(await store().runs.control(run.id, 'resume')).toBe(false);
    for (const command of ['pause', 'resume', 'stop'] as const)
      expect(await store().runs.control(run.id, command)).toBe(true);
    expect(await store().runs.control(run.id, 'stop')).toBe(false);
    const events = await store().journal.after(0, 100, run.id);
    expect(events.map(({ kind }) => kind)).toEqual(['run-started', 'run-paused', 'run-resumed', 'run-stopping']);
  });
}
