// node bench/store/index-many-sources.ts sqlite|postgres [PAGES]: indexing throughput with 100 sources crawled at once, whose pages
// arrive in turn, against one source alone, with compaction. Chunks per second of CPU time of this process and of elapsed time.

import type { Store } from '../../src/store/port.ts';
import type { Claim } from '../../src/store/port/frontier.ts';
import { createRunFixture, createSettlement, indexedOutcome, WORKER } from '../../test/support/run-fixture.ts';
import { openTestPostgres, openTestSqlite } from '../../test/support/stores.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';
import { createRandom } from '../../test/support/random.ts';

const ENGINE = process.argv[2] === 'postgres' ? 'postgres' : 'sqlite';
const PAGES = Number(process.argv[3] ?? 4000);
const CHUNKS_PER_PAGE = 6;
const WORDS_PER_CHUNK = 120;
const VOCABULARY = 40_000;
const BATCH = 100;
const PAGES_PER_STEP = 200;
const COMPACTION_MS = 1000;
const MIN_SHARE = 0.8;

const random = createRandom(7);

/** Few words are frequent and many are rare, as in prose. */
function textOf(): string {
  return Array.from({ length: WORDS_PER_CHUNK }, () => `w${Math.floor(VOCABULARY ** random())}`).join(' ');
}

interface Throughput {
  readonly chunksPerCpuSecond: number;
  readonly chunksPerSecond: number;
  readonly segments: number;
  readonly steps: number;
}

async function measure(sources: number): Promise<Throughput> {
  const { store, close } = await (ENGINE === 'postgres' ? openTestPostgres : openTestSqlite)();
  try {
    const versions = await settlePages(store, sources);
    const [cpu, started] = [cpuMs(), performance.now()];
    let steps = 0;
    for (let indexed = 1; indexed > 0; steps += 1) {
      indexed = await store.segments.index(PAGES_PER_STEP);
      await store.segments.compact(COMPACTION_MS);
    }
    while (!(await store.segments.compact(COMPACTION_MS)));
    const [usedMs, elapsedMs] = [cpuMs() - cpu, performance.now() - started];
    const segments = await store.segments.segments(versions);
    const chunks = PAGES * CHUNKS_PER_PAGE;
    return {
      chunksPerCpuSecond: Math.round((chunks / usedMs) * 1000),
      chunksPerSecond: Math.round((chunks / elapsedMs) * 1000),
      segments: segments.length,
      steps,
    };
  } finally {
    await close();
  }
}

/** The pages of all sources are settled in turn, as they arrive when all are crawled at once. */
async function settlePages(
  store: Store,
  sources: number,
): Promise<Array<Parameters<Store['segments']['segments']>[0][number]>> {
  const each = PAGES / sources;
  const versions = [];
  const claims: Claim[][] = [];
  for (let source = 0; source < sources; source += 1) {
    const urls = Array.from({ length: each }, (_, nth) => `https://h${source}.dev/p/${nth}`);
    versions.push((await createRunFixture(store, urls)).run.version);
    claims.push([
      ...(await store.frontier.claim({ worker: WORKER, limit: each, leaseMs: 3_600_000, aheadMs: 3_600_000 })),
    ]);
  }
  const inTurn = Array.from({ length: each }, (_, nth) => claims.flatMap((own) => own[nth] ?? [])).flat();
  if (inTurn.length < PAGES) throw new Error(`${inTurn.length} of ${PAGES} URLs were claimed`);
  for (let from = 0; from < inTurn.length; from += BATCH) {
    const settlements = inTurn
      .slice(from, from + BATCH)
      .map((claim) =>
        createSettlement(claim, indexedOutcome(claim.url, ...Array.from({ length: CHUNKS_PER_PAGE }, textOf))),
      );
    await store.frontier.settle(settlements);
  }
  return versions;
}

const one = await measure(1);
const hundred = await measure(100);
const share = Math.round((hundred.chunksPerCpuSecond / one.chunksPerCpuSecond) * 100) / 100;
const result = {
  engine: ENGINE,
  pages: PAGES,
  chunksPerPage: CHUNKS_PER_PAGE,
  oneSource: one,
  hundredSources: hundred,
  share,
  bar: MIN_SHARE,
};
if (process.argv[3] === undefined) writeResult(`index-many-sources-${ENGINE}`, result);
else console.log(JSON.stringify(result, null, 2));
process.exitCode = share >= MIN_SHARE ? 0 : 1;
