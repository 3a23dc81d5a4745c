import { expect, test } from 'vitest';
import { actionList } from '../actions/actions.ts';
import type { CreateCall } from './in-process-library.ts';
import { delegateReads } from './start-query-thread.ts';

const answeredBy =
  (thread: string): CreateCall =>
  () =>
  async () =>
    thread;

test('no search waits for work on a whole version or library', async () => {
  const queries = { createCall: answeredBy('query') };
  const scans = { createCall: answeredBy('scan') };
  const call = delegateReads(answeredBy('main'), queries, scans)(false);
  expect(await call('search_docs', { query: 'pool' })).toBe('query');
  expect(await call('verify_store', {})).toBe('scan');
  expect(await call('remove_source', { source: 'docs' })).toBe('main');
  expect(actionList.filter(({ readsWholeLibrary }) => readsWholeLibrary).map(({ name }) => name)).toEqual([
    'show_coverage',
    'compare_versions',
    'verify_store',
  ]);
});
