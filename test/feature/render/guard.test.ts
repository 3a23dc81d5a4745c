// [F10] A page cannot make the browser connect to what the guard blocks. The short form; npm run test:render-guard has all cases.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unansweredRedirects } from './attack-cases.ts';
import { attackFromPage } from './attack-from-page.ts';
import { type AttackNetwork, openSeamNetwork } from './attack-network.ts';

vi.setConfig({ testTimeout: 120_000 });

let network: AttackNetwork;
beforeEach(async () => {
  network = await openSeamNetwork();
});
afterEach(() => network.close());

test('no way of a page reaches a blocked address, and an allowed one arrives', async () => {
  const results = await attackFromPage({ network, mechanisms: ['fetch', 'websocket', 'service-worker'], step: 7 });
  for (const [mechanism, result] of Object.entries(results)) {
    expect(result, mechanism).toMatchObject({ reached: [], packets: 0, missing: [] });
    expect(result.refused, mechanism).toBeGreaterThan(10);
  }
});

test('the seam records what a guard that is too generous lets through', async () => {
  const results = await attackFromPage({ network, mechanisms: ['fetch'], step: 7, allowCidrs: ['0.0.0.0/0'] });
  expect(results['fetch']?.reached.length).toBeGreaterThan(3);
});

test('each redirect of the list has an answer', () => expect(unansweredRedirects()).toEqual([]));
