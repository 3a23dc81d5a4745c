// Which texts of a library have vectors, read from outside while the program works on it.

import { passageText } from '../../src/core/vector/passage-text.ts';
import type { SpaceProgress } from '../../src/store/port.ts';
import type { FaultPlace } from './fault-library.ts';
import type { Scene } from './trial.ts';

type Count = number | string;

/** As a model is asked for them. A text that stands under different headings is asked for without any. */
export async function passagesWithVectors(place: FaultPlace): Promise<ReadonlySet<string>> {
  const rows = await place.sql<{ headings: string; text: string }>(
    'select headings, text from chunks where content_hash in (select content_hash from vectors)',
  );
  return new Set(
    rows.flatMap(({ headings, text }) => [passageText(JSON.parse(headings) as string[], text), passageText([], text)]),
  );
}

/** Of the space with vectors of this size, or of all spaces. */
export async function progressOf(place: FaultPlace, dimensions?: number): Promise<SpaceProgress> {
  const where = dimensions === undefined ? '' : `where spaces.dimensions = ${dimensions}`;
  const rows = await place.sql<{ state: number; n: Count }>(
    `select state, count(*) as n from embeddings join spaces on spaces.id = space_id ${where} group by state`,
  );
  const count = (...states: readonly number[]): number =>
    rows.reduce((sum, { state, n }) => sum + (states.includes(state) ? Number(n) : 0), 0);
  return { wanted: count(0, 1), embedded: count(2), failed: count(3) };
}

/** In the space with vectors of this size: one for each text that any chunk has, none given up, none too many. */
export async function expectOneVectorEach(scene: Scene, dimensions?: number): Promise<void> {
  const { place } = scene;
  const where = dimensions === undefined ? '' : `where spaces.dimensions = ${dimensions}`;
  const [texts] = await place.sql<{ n: Count }>('select count(distinct content_hash) as n from chunks');
  const [kept] = await place.sql<{ n: Count; texts: Count }>(
    `select count(*) as n, count(distinct content_hash) as texts from vectors join spaces on spaces.id = space_id ${where}`,
  );
  const { failed } = await progressOf(place, dimensions);
  const found = `${kept?.n} vectors of ${kept?.texts} of ${texts?.n} texts, ${failed} given up`;
  const isWhole = Number(kept?.n) === Number(texts?.n) && Number(kept?.texts) === Number(texts?.n);
  scene.expect(`every text has one vector: ${found}`, isWhole && failed === 0);
}
