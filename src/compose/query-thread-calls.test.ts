import { expect, test } from 'vitest';
import { pinakesError } from '../core/model/errors.ts';
import { failureOf } from '../platform/worker-thread.ts';
import type { ReadRequest } from '../serve/read-messages.ts';
import { createThreadCalls } from './query-thread-calls.ts';

const SEARCH = { action: 'search_docs', input: { query: 'pool' }, files: false };

function calls() {
  const asked: ReadRequest[] = [];
  return { asked, ...createThreadCalls((request) => void asked.push(request)) };
}

test('each call gets its own answer, in whatever order they come', async () => {
  const { call, hear } = calls();
  const [first, second] = [call(SEARCH, {}), call(SEARCH, {})];
  hear({ kind: 'answered', id: 2, answer: 'second' });
  hear({ kind: 'answered', id: 1, answer: 'first' });
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
});

test('a failure keeps its code', async () => {
  const { call, hear } = calls();
  const asked = call(SEARCH, {});
  hear({ kind: 'failed', id: 1, failure: failureOf(pinakesError('source.unknown', { source: 'x' })) });
  await expect(asked).rejects.toMatchObject({ code: 'source.unknown' });
});

test('who gives up is answered at once, and the thread is told', async () => {
  const { asked, call, hear } = calls();
  const stop = new AbortController();
  const answer = call(SEARCH, { signal: stop.signal });
  stop.abort(new Error('gone'));
  await expect(answer).rejects.toThrow('gone');
  expect(asked.at(-1)).toEqual({ kind: 'cancel', id: 1 });
  hear({ kind: 'answered', id: 1, answer: 'too late' });
});

test('progress goes to whoever asked for it', async () => {
  const { call, hear } = calls();
  const told: unknown[] = [];
  const asked = call(SEARCH, { tell: (progress) => void told.push(progress) });
  const progress = { step: 'rank', done: 1, of: 2 };
  hear({ kind: 'progress', id: 1, progress });
  hear({ kind: 'answered', id: 1, answer: null });
  await asked;
  expect(told).toEqual([progress]);
});

test('when the thread is gone, nobody waits for it', async () => {
  const { call, fail } = calls();
  const asked = call(SEARCH, {});
  fail(new Error('it ended'));
  await expect(asked).rejects.toThrow('it ended');
});
