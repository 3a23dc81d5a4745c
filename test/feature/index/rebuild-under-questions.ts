// Rebuilds a generation during queries: each must be answered, before, during and after the switch.

import { setTimeout as wait } from 'node:timers/promises';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { SearchIndex } from '../../../src/index/port.ts';
import type { Store } from '../../../src/store/port.ts';
import { queryOf, urlsOf } from '../../support/qdrant-library.ts';
import { makeQuestions } from '../../support/zipf-pages.ts';

export interface RebuiltIndex {
  readonly questions: number;
  /** Questions that failed, or found nothing. */
  readonly failures: readonly string[];
}

/** The index must have found a reason to be rebuilt, a few pages at a time. */
export async function rebuildUnderQuestions(
  store: Store,
  index: SearchIndex,
  version: VersionId,
  pagesPerStep = 3,
): Promise<RebuiltIndex> {
  const before = await currentGeneration(store);
  const ended = new AbortController();
  const failures: string[] = [];
  const questions = makeQuestions(20);
  let requested = 0;
  const send = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const question = questions[requested % questions.length]!;
      requested += 1;
      try {
        if (urlsOf(await index.candidates(queryOf(question, [version]))).length === 0)
          failures.push(`none: ${question}`);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const asking = [send(), send()];
  while ((await index.index(pagesPerStep)) > 0);
  // The searched generation may be a second out of date.
  await wait(1200);
  ended.abort();
  await Promise.all(asking);
  if ((await currentGeneration(store)) === before) failures.push('the generation was not replaced');
  return { questions: requested, failures };
}

async function currentGeneration(store: Store): Promise<number | undefined> {
  return (await store.points.generations()).find(({ state }) => state === 'current')?.id;
}
