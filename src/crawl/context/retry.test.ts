import { expect, test } from 'vitest';
import { pinakesError } from '../../core/model/errors.ts';
import { createLog } from '../../platform/log.ts';
import { supervise, retryWhileUnavailable } from './retry.ts';

const unavailable = pinakesError('database.unreachable', { reason: 'gone' });
const tooLong = pinakesError('database.timeout', { reason: 'canceling statement due to statement timeout' });
const broken = pinakesError('database.io-error', { reason: 'EIO' });
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

test('work that fails because the database is unavailable is retried, and logged once', async () => {
  const logged: unknown[] = [];
  expect(await retryWhileUnavailable(failing(2, unavailable), going(), (error) => logged.push(error))).toBe('done');
  expect(logged).toEqual([unavailable]);
});

test('other failures are not retried', async () => {
  const mistake = new Error('a mistake');
  await expect(retryWhileUnavailable(failing(1, mistake), going())).rejects.toBe(mistake);
  await expect(retryWhileUnavailable(failing(1, broken), going())).rejects.toBe(broken);
});

test('work that takes the database too long is tried three times (finding B2)', async () => {
  expect(await retryWhileUnavailable(failing(2, tooLong), going())).toBe('done');
  await expect(retryWhileUnavailable(failing(3, tooLong), going())).rejects.toBe(tooLong);
});

test('nothing is retried after an abort', async () => {
  await expect(retryWhileUnavailable(failing(1, unavailable), AbortSignal.abort())).rejects.toBe(unavailable);
});

test('a loop survives an unavailable database, but not a broken disk', async () => {
  const errors = [unavailable, broken];
  const loop = async (): Promise<void> => {
    throw errors.shift() ?? new Error('called once too often');
  };
  await expect(supervise('loop', loop, going(), log)).rejects.toBe(broken);
  expect(errors).toEqual([]);
});
