import { expect, test } from 'vitest';
import { killIndex } from './kill-index.ts';

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: an indexer killed 12 times gives the same results`, { timeout: 180_000 }, async () => {
    const result = await killIndex({ engine, kills: 6, pages: 240 });
    expect(result).toMatchObject({ violations: [], differences: [] });
    expect(result.waited[0]).toBeGreaterThan(0);
  });
}
