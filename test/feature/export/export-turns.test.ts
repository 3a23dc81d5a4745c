// An export over HTTP runs on the thread that answers requests: it lets them through, and ends with its caller.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionDeps } from '../../../src/actions/action.ts';
import { exportSource } from '../../../src/actions/export-source.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../../support/run-fixture.ts';
import { openTestSqlite, type TestStore } from '../../support/stores.ts';

const PAGES = 60;
/** A page takes this long at least, as one of a large source does. */
const PAGE_MS = 5;

let opened: TestStore;
let source: Source;

beforeAll(async () => {
  opened = await openTestSqlite();
  const urls = Array.from({ length: PAGES }, (_, n) => `https://x.dev/${n}`);
  ({ source } = await createRunFixture(opened.store, urls));
  const claims = await claimAll(opened.store);
  await opened.store.frontier.settle(
    claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, `# ${claim.url}`, `text of ${claim.url}`))),
  );
});
afterAll(() => opened?.close());

function spend(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

interface Exported {
  readonly ended: Promise<unknown>;
  /** Pages and files that were read or written. */
  readonly steps: () => number;
  /** Turns of the event loop since it began. */
  readonly turns: () => number;
}

/** To a client that reads as fast as it is sent something. */
function beginExport(format: string, signal: AbortSignal): Exported {
  let [steps, turns] = [0, 0];
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const writer = {
    path: 'out',
    write: async () => undefined,
    commit: async () => undefined,
    discard: async () => undefined,
  };
  const onProgress = (): void => {
    steps += 1;
    spend(PAGE_MS);
  };
  const deps = { store: opened.store, writer, signal, onProgress, localAccess: null } as unknown as ActionDeps;
  const input = exportSource.input.parse({ source: source.name, out: 'out.zip', format });
  const ended = exportSource.run(input, deps).finally(() => (isDone = true));
  return { ended, steps: () => steps, turns: () => turns };
}

const FORMATS = ['bundle', 'pages', 'jsonl', 'llms-full', 'skill'] as const;

test.each(FORMATS)('an export as %s lets other requests through (finding D4)', async (format) => {
  await beginExport(format, new AbortController().signal).ended;
  const { ended, steps, turns } = beginExport(format, new AbortController().signal);
  await ended;
  expect(steps()).toBeGreaterThanOrEqual(50);
  expect(turns()).toBeGreaterThan((steps() * PAGE_MS) / 100);
});

test.each(FORMATS)('an export as %s ends when its caller disconnects (finding D4)', async (format) => {
  const caller = new AbortController();
  const { ended, steps } = beginExport(format, caller.signal);
  setTimeout(() => caller.abort(), PAGE_MS);
  await expect(ended).rejects.toThrow('aborted');
  expect(steps()).toBeLessThan(50);
});
