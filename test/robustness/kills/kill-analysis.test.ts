import { expect, test } from 'vitest';
import { ENGINES } from '../../support/library.ts';
import { killAnalysis } from './kill-analysis.ts';

for (const engine of ENGINES) {
  test(`${engine}: killed workers analyse each page once`, { timeout: 300_000 }, async () => {
    const result = await killAnalysis({ engine, kills: 2, seed: 1 });
    expect(result).toMatchObject({ kills: 2, wrongCounts: [], notCompleted: [], violations: [] });
    expect(result.pages).toBeGreaterThan(50);
  });
}
