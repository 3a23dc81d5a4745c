import { expect, test } from 'vitest';
import { OUTCOME_NAMES, type OutcomeName } from '../../core/model/outcome.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import type { RunState } from '../../core/model/run.ts';
import type { RunCounts } from '../../store/port/runs.ts';
import { runResult, startResult, type MostFrequentReason, type RunResult } from './finalize-run.ts';

const NONE = Object.fromEntries([...OUTCOME_NAMES, 'found', 'bytes'].map((name) => [name, 0])) as RunCounts;

function resultOf(counts: Partial<RunCounts>, reasons: Partial<Record<OutcomeName, string>> = {}): Promise<RunResult> {
  return resultIn('running', counts, reasons);
}

function resultIn(
  state: RunState,
  counts: Partial<RunCounts>,
  reasons: Partial<Record<OutcomeName, string>>,
  isLocal = false,
) {
  const example = pageUrl('https://x.dev/a');
  const mostFrequent: MostFrequentReason = async (outcome) => {
    const reason = reasons[outcome];
    return reason === undefined ? null : { reason, count: counts[outcome] ?? 1, example };
  };
  return runResult({ state, mode: 'incremental', counts: { ...NONE, ...counts } }, mostFrequent, isLocal);
}

test('a run that stored everything it accepted is completed without a reason', async () => {
  expect(await resultOf({ found: 5, new: 3, moved: 1, 'not-found': 1 })).toEqual({ state: 'completed', reason: null });
});

test('a run that was stopped on request is stopped, whatever else happened', async () => {
  expect(await resultIn('stopping', { found: 5, new: 3, failed: 2 }, {})).toEqual({
    state: 'stopped',
    reason: 'on request',
  });
});

test('skipped pages do not make a run fail, and are reported', async () => {
  expect(await resultOf({ found: 5, new: 4, skipped: 1 }, { skipped: 'noindex' })).toEqual({
    state: 'completed',
    reason: '1 page was skipped: https://x.dev/a (page that asks not to be indexed)',
  });
});

test('a run with failed URLs is partial, and failed if it stored nothing', async () => {
  const reasons = { failed: 'fetch.timeout: header-timeout' };
  expect(await resultOf({ found: 5, new: 3, failed: 2 }, reasons)).toEqual({
    state: 'partial',
    reason: '2 of 5 URLs failed, such as https://x.dev/a (fetch.timeout: header-timeout)',
  });
  expect(await resultOf({ found: 1, failed: 1 }, reasons)).toMatchObject({ state: 'failed' });
});

test('an address blocked by the guard comes with the settings that open it', async () => {
  const { reason } = await resultOf({ found: 1, failed: 1 }, { failed: 'fetch.blocked-address: loopback' });
  expect(reason).toContain('(fetch.blocked-address: loopback). ');
  expect(reason).toContain('PINAKES_FETCH_ALLOW_CIDRS');
});

test('a start URL that a rule excludes fails the run with that rule', async () => {
  expect(await resultOf({ excluded: 1 }, { excluded: 'robots-disallow: robots.txt line 2: Disallow: /' })).toEqual({
    state: 'failed',
    reason: 'the start URL was excluded: https://x.dev/a (robots-disallow: robots.txt line 2: Disallow: /)',
  });
});

test('a start URL that does not exist fails the run', async () => {
  expect(await resultOf({ found: 1, 'not-found': 1 }, { 'not-found': 'status 404' })).toEqual({
    state: 'failed',
    reason: 'no page was stored: not found: https://x.dev/a (status 404)',
  });
});

test('a start URL that redirects out of scope fails the run and names the target', async () => {
  expect(
    await resultOf({ found: 1, moved: 1, excluded: 1 }, { excluded: 'out-of-scope: scope path: x.dev/docs/' }),
  ).toEqual({
    state: 'failed',
    reason: 'no page was stored: 1 URL was excluded: https://x.dev/a (out-of-scope: scope path: x.dev/docs/)',
  });
});

test('a run with a single page says why there are no others', async () => {
  expect(await resultOf({ found: 1, new: 1, excluded: 9 }, { excluded: 'out-of-scope: scope path: x.dev/a/' })).toEqual(
    {
      state: 'completed',
      reason:
        'only one page was stored: 9 URLs were excluded, such as https://x.dev/a (out-of-scope: scope path: x.dev/a/)',
    },
  );
  expect(await resultOf({ found: 1, new: 1 })).toEqual({
    state: 'completed',
    reason: 'only one page was stored: it links to no other page',
  });
});

test('a folder with one file is complete; it lacks no links', async () => {
  expect(await resultIn('running', { found: 1, new: 1 }, {}, true)).toEqual({
    state: 'completed',
    reason: 'only one page was stored: there are no other files',
  });
});

test('missing pages that are kept make a run partial', async () => {
  expect(await resultOf({ found: 9, unchanged: 2, missing: 7 }, { missing: 'status 404' })).toEqual({
    state: 'partial',
    reason: '7 pages are missing and were kept, such as https://x.dev/a (status 404)',
  });
});

test('a run that stored nothing is explained by what became of its start (finding T2.5)', () => {
  const url = pageUrl('https://x.dev/nope');
  const run = { state: 'running', counts: { ...NONE, found: 1, 'not-found': 1, excluded: 52 } } as const;
  expect(startResult(run, { url, reason: 'status 404' })).toEqual({
    state: 'failed',
    reason: 'https://x.dev/nope does not exist. Check the URL',
  });
  expect(startResult({ ...run, counts: { ...run.counts, new: 1 } }, { url, reason: 'status 404' })).toBeNull();
  expect(startResult(run, { url, reason: 'near-empty' })).toBeNull();
});
