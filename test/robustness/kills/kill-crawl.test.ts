import { expect, test } from 'vitest';
import { killCrawl } from './kill-crawl.ts';
import { ENGINES } from '../../support/library.ts';

for (const engine of ENGINES) {
  test(
    `[R8] ${engine}: killed workers lose no page, double none and break no invariant`,
    { timeout: 180_000 },
    async () => {
      const result = await killCrawl({ engine, kills: 3, seed: 1 });
      expect(result).toMatchObject({
        kills: 3,
        wrongPages: 0,
        doubled: 0,
        brokenHistory: [],
        violations: [],
        requestedTooOften: [],
        notCompleted: [],
      });
      expect(result.requestedAgain).toBeLessThanOrEqual(result.requestedAgainAllowed);
    },
  );

  test(`${engine}: a planned run is resumed after its workers were killed`, { timeout: 180_000 }, async () => {
    const result = await killCrawl({ engine, kills: 2, seed: 2, preset: 'intelligent' });
    expect(result).toMatchObject({ kills: 2, wrongPages: 0, doubled: 0, violations: [], notCompleted: [] });
  });
}
