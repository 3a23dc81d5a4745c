// [F10] A page cannot make the browser connect to what the guard blocks. The short form; npm run test:render has all cases.

import { expect, test, vi } from 'vitest';
import { attackFromPage } from './attack-from-page.ts';

vi.setConfig({ testTimeout: 120_000 });

test('no way of a page reaches a blocked address, and an allowed one arrives', async () => {
  const { reached, sentinelConnections, sentinelPackets, refused, allowed } = await attackFromPage(
    ['fetch', 'websocket'],
    8,
  );
  expect({ reached, sentinelConnections, sentinelPackets }).toEqual({
    reached: [],
    sentinelConnections: 0,
    sentinelPackets: 0,
  });
  expect(refused).toBeGreaterThan(10);
  expect(allowed).toBeGreaterThan(2);
});
