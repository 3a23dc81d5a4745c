// The long form of test/render/guard.test.ts: every URL of the list, in every way that a page has to request it.

import { describe, expect, test } from 'vitest';
import { attackFromPage, MECHANISMS } from '../render/attack-from-page.ts';

describe('no page reaches a blocked address', () => {
  test.each(Object.keys(MECHANISMS))('by %s', async (mechanism) => {
    const { reached, sentinelConnections, sentinelPackets, allowed } = await attackFromPage([mechanism], 1);
    expect({ reached, sentinelConnections, sentinelPackets }).toEqual({
      reached: [],
      sentinelConnections: 0,
      sentinelPackets: 0,
    });
    // Two documents are always loaded; no window is opened.
    if (mechanism !== 'window') expect(allowed).toBeGreaterThan(3);
  });
});
