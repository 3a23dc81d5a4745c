// [F10] Each attempt of the list reaches nothing that it must not, ends as it should, and leaves a browser that renders the next page.

import { expect, test } from 'vitest';
import { connectBrowser } from '../../../src/render/connect-browser.ts';
import { PAGE_ATTEMPTS } from './page-attempts.table.ts';
import { runAttempts } from './page-attempts.ts';
import { startRemoteBrowser } from './remote-browser.ts';

const LIMIT_MS = 60_000;

test('no attempt of a page reaches what it must not', { timeout: 900_000 }, async () => {
  const results = await runAttempts([...PAGE_ATTEMPTS, { id: 'a page without an attempt', ends: 'with its text' }]);
  expect(results.filter(({ broken }) => broken.length > 0)).toEqual([]);
  for (const [nth, { id, hasText, ms }] of results.entries()) {
    const ends = PAGE_ATTEMPTS[nth]?.ends ?? 'with its text';
    if (ends === 'with its text') expect({ id, hasText }).toEqual({ id, hasText: true });
    expect(ms, id).toBeLessThan(LIMIT_MS);
  }
});

test(
  'a browser elsewhere, whose preferences are not ours, loads no page ahead over HTTP',
  { timeout: 300_000 },
  async () => {
    const ahead = PAGE_ATTEMPTS.filter(({ id }) => id === 'speculation rules');
    expect(ahead).toHaveLength(1);
    const remote = await startRemoteBrowser();
    try {
      const startBrowser = (proxy: { readonly host: string; readonly port: number }) =>
        connectBrowser({ endpoint: remote.endpoint, proxy });
      for (const { broken, hasText } of await runAttempts(ahead, { startBrowser }))
        expect({ broken, hasText }).toEqual({ broken: [], hasText: true });
    } finally {
      await remote.close();
    }
  },
);
