import { expect, test } from 'vitest';
import { killLoop } from './kill-loop.ts';

for (const engine of ['sqlite', 'postgres'] as const) {
  test(
    `${engine}: a crawl killed 15 times at random keeps every invariant and ends with the site's pages`,
    {
      timeout: 180_000,
    },
    async () => {
      const result = await killLoop({ engine, kills: 15, size: 300, hosts: 10 });
      expect(result).toMatchObject({ violations: [], wrongPages: 0 });
      expect(result.runs).toBeGreaterThan(0);
    },
  );
}
