// Pages that hang, allocate, alert, redirect and download among many that do not, while the browser is killed again and again. 2,000
// pages unless PINAKES_TEST_RENDER_PAGES says otherwise.

import { expect, test } from 'vitest';
import { chaosRun } from '../feature/render/chaos-run.ts';
import { writeResult } from '../support/write-result.ts';

const PAGES = Number(process.env['PINAKES_TEST_RENDER_PAGES'] ?? 2000);
const MAX_BYTES = 1.5 * 1024 ** 3;
/** A hundred pages take all of their time limit. */
const TIMEOUT_MS = 5_400_000;

test(
  'every page has its outcome, memory stays in bounds, and no process is left',
  { timeout: TIMEOUT_MS },
  async () => {
    const result = await chaosRun({ pages: PAGES, badEvery: 10, killEvery: 40 });
    writeResult('render-chaos', result);
    expect(result.wrong).toEqual([]);
    expect(result.leftProcesses).toBe(0);
    expect(result.peakBytes).toBeLessThan(MAX_BYTES);
    expect(result.kills).toBeGreaterThan(0);
  },
);
