// Search over segments in tables: the same statements on both engines.

import type { SearchRows } from '../../port.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import type { Engine } from '../engine/engine.ts';
import { indexForm } from '../../../core/lexical/segment/index-fingerprint.ts';
import { createWordCounter } from '../../../core/lexical/segment/term-counter.ts';
import { indexPages } from './index-pages.ts';
import { tidySegments } from './compact-segments.ts';
import { createNearTerms } from './near-terms.ts';
import { createPlacesOf } from './places-of.ts';
import { queueAll, queueOtherForms } from './index-queue.ts';
import { createReadPostings } from './read-postings.ts';
import { resolvePlaces } from './resolve-positions.ts';
import { createInSteps } from './write-steps.ts';

const lag = `select count(*) as n from index_queue`;
const lagMs = `select now_ms() - min(offered_at) as ms from index_queue`;

export function createSearchRows(engine: Engine, { forUpdate }: EngineParts): SearchRows {
  const { reader } = engine;
  const inSteps = createInSteps(engine, forUpdate);
  const counter = createWordCounter();
  let tidy = false;
  let formSeen = false;
  return {
    postings: createReadPostings(reader),
    resolve: (places) => resolvePlaces(reader, places),
    placesOf: createPlacesOf(reader),
    nearTerms: createNearTerms(reader),
    async index(limit) {
      if (!formSeen) await engine.transaction((tx) => queueOtherForms(tx, indexForm));
      formSeen = true;
      const done = await inSteps((steps) => indexPages(steps, limit, counter));
      if (done > 0) tidy = false;
      if (!tidy) tidy = !(await inSteps(tidySegments));
      // An indexer that has nothing to do holds nothing.
      if (tidy && done === 0) counter.trim(0);
      return done;
    },
    reindex: (version) => engine.transaction((tx) => queueAll(tx, version)),
    async lag() {
      const [row] = await reader.all<{ n: number }>(lag);
      return row?.n ?? 0;
    },
    async lagMs() {
      const [row] = await reader.all<{ ms: number | null }>(lagMs);
      return Math.max(0, row?.ms ?? 0);
    },
  };
}
