// An hour of everything at once, or as many seconds as SOAK_SECONDS says: what is lost, and what grows.

import { expect, test } from 'vitest';
import { growth, soak } from '../robustness/soak/soak.ts';
import { writeResult } from '../support/write-result.ts';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 3600);
/** Resident memory and descriptors vary with what is under way. */
const MAX_GROWTH = 1.3;

test(`${SECONDS} seconds of everything at once lose and leave nothing`, { timeout: 10 * 3_600_000 }, async () => {
  const result = await soak({ seconds: SECONDS, killEverySeconds: 60, restoreEverySeconds: 120, measuresRate: true });
  const fields = ['residentMb', 'descriptors', 'processes', 'temporaryFiles'] as const;
  const grown = Object.fromEntries(fields.map((field) => [field, growth(result.samples, field)]));
  writeResult('soak', { ...result, samples: result.samples.length, growth: grown });
  expect(result).toMatchObject({ acknowledgedLost: 0, failedWithoutKill: {}, problems: [] });
  expect(result.good?.share).toBeGreaterThan(0.8);
  for (const field of ['residentMb', 'descriptors'] as const)
    expect(grown[field]!.last, field).toBeLessThan(MAX_GROWTH * grown[field]!.first);
  expect(grown['processes']!.last).toBeLessThanOrEqual(grown['processes']!.first);
  expect(grown['temporaryFiles']!.last).toBeLessThan(20);
});
