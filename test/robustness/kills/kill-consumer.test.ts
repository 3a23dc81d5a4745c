// The short form of npm run test:changes.

import { expect, test } from 'vitest';
import { killConsumer } from './kill-consumer.ts';

test('a killed consumer sees every change once, even after its position expired', async () => {
  const result = await killConsumer({ engine: 'sqlite', pages: 20, kills: 3, killsAfterExpiry: 1 });
  expect(result).toMatchObject({ doubled: 0, differences: [] });
  expect(result.applied).toBeGreaterThan(60);
}, 180_000);
