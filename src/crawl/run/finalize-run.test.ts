import { expect, test } from 'vitest';
import { OUTCOME_NAMES, type OutcomeName } from '../../core/model/outcome.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import type { RunState } from '../../core/model/run.ts';
import type { RunCounts } from '../../store/port.ts';
import { runEnd, type Commonest, type RunEnd } from '../../operate/run-end.ts';

const NONE = Object.fromEntries([...OUTCOME_NAMES, 'found', 'bytes'].map((name) => [name, 0])) as RunCounts;

function endOf(counts: Partial<RunCounts>, reasons: Partial<Record<OutcomeName, string>> = {}): Promise<RunEnd> {
  return ended('running', counts, reasons);
}

function ended(
  state: RunState,
  counts: Partial<RunCounts>,
  reasons: Partial<Record<OutcomeName, string>>,
  isLocal = false,
) {
  const example = pageUrl('https://x.dev/a');
  const commonest: Commonest = async (outcome) => {
    const reason = reasons[outcome];
    return reason === undefined ? null : { reason, times: counts[outcome] ?? 1, example };
  };
  return runEnd({ state, mode: 'incremental', counts: { ...NONE, ...counts } }, commonest, isLocal);
}

test('a run that stored all it accepted is completed and needs no words', async () => {
  expect(await endOf({ found: 5, new: 3, moved: 1, gone: 1 })).toEqual({ state: 'completed', reason: null });
});

test('a run that was asked to stop is stopped, whatever else happened', async () => {
  expect(await ended('stopping', { found: 5, new: 3, failed: 2 }, {})).toEqual({
    state: 'stopped',
    reason: 'on request',
  });
});

test('pages that were left out properly do not spoil a run, and are told', async () => {
  expect(await endOf({ found: 5, new: 4, skipped: 1 }, { skipped: 'noindex' })).toEqual({
    state: 'completed',
    reason: '1 page was left out: https://x.dev/a (noindex)',
  });
});

test('a run with failed URLs is partial, and failed when it stored nothing', async () => {
  const reasons = { failed: 'fetch.timeout: header-timeout' };
  expect(await endOf({ found: 5, new: 3, failed: 2 }, reasons)).toEqual({
    state: 'partial',
    reason: '2 of 5 URLs failed, such as https://x.dev/a (fetch.timeout: header-timeout)',
  });
  expect(await endOf({ found: 1, failed: 1 }, reasons)).toMatchObject({ state: 'failed' });
});

test('what the address guard refuses comes with the settings that open it', async () => {
  const { reason } = await endOf({ found: 1, failed: 1 }, { failed: 'fetch.blocked-address: loopback' });
  expect(reason).toContain('(fetch.blocked-address: loopback). ');
  expect(reason).toContain('PINAKES_FETCH_ALLOW_CIDRS');
});

test('a start that a rule refuses fails the run by that rule', async () => {
  expect(await endOf({ refused: 1 }, { refused: 'robots-disallow: robots.txt line 2: Disallow: /' })).toEqual({
    state: 'failed',
    reason: 'the start was refused: https://x.dev/a (robots-disallow: robots.txt line 2: Disallow: /)',
  });
});

test('a start that is not there fails the run', async () => {
  expect(await endOf({ found: 1, gone: 1 }, { gone: 'status 404' })).toEqual({
    state: 'failed',
    reason: 'no page was stored: nothing is there: https://x.dev/a (status 404)',
  });
});

test('a start that leads out of scope fails the run and names where it leads', async () => {
  expect(
    await endOf({ found: 1, moved: 1, refused: 1 }, { refused: 'out-of-scope: breadth path: x.dev/docs/' }),
  ).toEqual({
    state: 'failed',
    reason: 'no page was stored: 1 URL was refused: https://x.dev/a (out-of-scope: breadth path: x.dev/docs/)',
  });
});

test('a run with a single page says what kept the others out', async () => {
  expect(await endOf({ found: 1, new: 1, refused: 9 }, { refused: 'out-of-scope: breadth path: x.dev/a/' })).toEqual({
    state: 'completed',
    reason:
      'only one page was stored: 9 URLs were refused, such as https://x.dev/a (out-of-scope: breadth path: x.dev/a/)',
  });
  expect(await endOf({ found: 1, new: 1 })).toEqual({
    state: 'completed',
    reason: 'only one page was stored: it links to no other page',
  });
});

test('a folder with one file is whole; it lacks no links', async () => {
  expect(await ended('running', { found: 1, new: 1 }, {}, true)).toEqual({
    state: 'completed',
    reason: 'only one page was stored: there is no other file to read',
  });
});

test('pages that are held though they were not found make a run partial', async () => {
  expect(await endOf({ found: 9, unchanged: 2, missing: 7 }, { missing: 'status 404' })).toEqual({
    state: 'partial',
    reason: '7 pages are not found any more and stay, such as https://x.dev/a (status 404)',
  });
});
