// Which texts of a library have vectors, read from outside while the program is running.

import { passageText } from '../../../src/core/vector/passage-text.ts';
import { EMBEDDING_STATE } from '../../../src/store/sql/engine/states.ts';
import type { SpaceProgress } from '../../../src/store/port/vectors.ts';
import type { FaultLibrary } from './fault-library.ts';
import type { Trial } from './trial.ts';

type Count = number | string;

/** As sent to the model. A text that occurs under different headings is sent without any. */
export async function passagesWithVectors(library: FaultLibrary): Promise<ReadonlySet<string>> {
  const rows = await library.sql<{ headings: string; text: string }>(
    'select headings, text from chunks where content_hash in (select content_hash from vectors)',
  );
  return new Set(
    rows.flatMap(({ headings, text }) => [passageText(JSON.parse(headings) as string[], text), passageText([], text)]),
  );
}

/** Progress of the space with vectors of this size, or of all spaces. */
export async function progressOf(library: FaultLibrary, dimensions?: number): Promise<SpaceProgress> {
  const where = dimensions === undefined ? '' : `where spaces.dimensions = ${dimensions}`;
  const rows = await library.sql<{ state: number; n: Count }>(
    `select state, count(*) as n from embeddings join spaces on spaces.id = space_id ${where} group by state`,
  );
  const count = (...states: readonly number[]): number =>
    rows.reduce((sum, { state, n }) => sum + (states.includes(state) ? Number(n) : 0), 0);
  return {
    pending: count(EMBEDDING_STATE.pending, EMBEDDING_STATE.claimed),
    embedded: count(EMBEDDING_STATE.embedded),
    failed: count(EMBEDDING_STATE.failed),
  };
}

/** In the space with vectors of this size: exactly one for each chunk text, none failed, none superfluous. */
export async function expectOneVectorEach(trial: Trial, dimensions?: number): Promise<void> {
  const { library } = trial;
  const where = dimensions === undefined ? '' : `where spaces.dimensions = ${dimensions}`;
  const [texts] = await library.sql<{ n: Count }>('select count(distinct content_hash) as n from chunks');
  const [vectors] = await library.sql<{ n: Count; texts: Count }>(
    `select count(*) as n, count(distinct content_hash) as texts from vectors join spaces on spaces.id = space_id ${where}`,
  );
  const { failed } = await progressOf(library, dimensions);
  const found = `${vectors?.n} vectors of ${vectors?.texts} of ${texts?.n} texts, ${failed} failed`;
  const isWhole = Number(vectors?.n) === Number(texts?.n) && Number(vectors?.texts) === Number(texts?.n);
  trial.expect(`every text has one vector: ${found}`, isWhole && failed === 0);
}
