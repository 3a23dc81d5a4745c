import { expect, test } from 'vitest';
import { pinakesError } from '../core/model/errors.ts';
import { toThreadFailure } from '../platform/worker-thread.ts';
import { createQueryThreadCalls, type QueryRequest } from './query-thread-calls.ts';

const SEARCH = { action: 'search_docs', input: { query: 'pool' }, files: false };

function calls() {
  const requests: QueryRequest[] = [];
  return { requests, ...createQueryThreadCalls((request) => void requests.push(request)) };
}

test('each call gets its own result, in whatever order results arrive', async () => {
  const { call, receive } = calls();
  const [first, second] = [call(SEARCH, {}), call(SEARCH, {})];
  receive({ kind: 'result', id: 2, result: 'second' });
  receive({ kind: 'result', id: 1, result: 'first' });
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
});

test('a failure keeps its code', async () => {
  const { call, receive } = calls();
  const pending = call(SEARCH, {});
  receive({ kind: 'failed', id: 1, failure: toThreadFailure(pinakesError('source.unknown', { source: 'x' })) });
  await expect(pending).rejects.toMatchObject({ code: 'source.unknown' });
});

test('an aborted call rejects at once, and the thread is told to cancel it', async () => {
  const { requests, call, receive } = calls();
  const stop = new AbortController();
  const pending = call(SEARCH, { signal: stop.signal });
  stop.abort(new Error('gone'));
  await expect(pending).rejects.toThrow('gone');
  expect(requests.at(-1)).toEqual({ kind: 'cancel', id: 1 });
  receive({ kind: 'result', id: 1, result: 'too late' });
});

test('progress goes to the caller', async () => {
  const { call, receive } = calls();
  const reported: unknown[] = [];
  const pending = call(SEARCH, { onProgress: (progress) => void reported.push(progress) });
  const progress = { step: 'rank', done: 1, total: 2 };
  receive({ kind: 'progress', id: 1, progress });
  receive({ kind: 'result', id: 1, result: null });
  await pending;
  expect(reported).toEqual([progress]);
});

test('when the thread is gone, pending calls reject', async () => {
  const { call, rejectAll } = calls();
  const pending = call(SEARCH, {});
  rejectAll(new Error('it ended'));
  await expect(pending).rejects.toThrow('it ended');
});
