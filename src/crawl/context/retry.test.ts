import { expect, test } from 'vitest';
import { pinakesError } from '../../core/model/errors.ts';
import { createLog } from '../../platform/log.ts';
import { persist, persistently } from './retry.ts';

const away = pinakesError('database.unreachable', { why: 'gone' });
const broken = pinakesError('database.broken', { why: 'EIO' });
const log = createLog({ level: 'silent', now: () => new Date() });
const going = (): AbortSignal => new AbortController().signal;

function failing(times: number, error: Error): () => Promise<string> {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw error;
    return 'done';
  };
}

test('what fails because the database is away is done again, and told once', async () => {
  const told: unknown[] = [];
  expect(await persistently(failing(2, away), going(), (error) => told.push(error))).toBe('done');
  expect(told).toEqual([away]);
});

test('what fails for another reason is not done again', async () => {
  const mistake = new Error('a mistake');
  await expect(persistently(failing(1, mistake), going())).rejects.toBe(mistake);
  await expect(persistently(failing(1, broken), going())).rejects.toBe(broken);
});

test('after a stop nothing is done again', async () => {
  await expect(persistently(failing(1, away), AbortSignal.abort())).rejects.toBe(away);
});

test('a loop outlives a database that is away, and not a disk that failed', async () => {
  const errors = [away, broken];
  const loop = async (): Promise<void> => {
    throw errors.shift() ?? new Error('asked once too often');
  };
  await expect(persist('loop', loop, going(), log)).rejects.toBe(broken);
  expect(errors).toEqual([]);
});
