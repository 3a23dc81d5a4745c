// node bench/vector/load-postgres.ts [VECTORS]: what loading vectors into PostgreSQL costs the server: with an HNSW index that is filled
// row by row, and with one that is built after the load. Random vectors of 384 dimensions, settled in batches as the embed loop does.
// Needs pgvector on the server that PINAKES_TEST_POSTGRES_URL names.

import { createIndexSql } from '../../src/store/postgres/vector-index.ts';
import { normalize } from '../../src/core/vector/pool-tokens.ts';
import {
  claimAll,
  createRunFixture,
  createSettlement,
  indexedOutcome,
  WORKER,
} from '../../test/support/run-fixture.ts';
import { postgresUrl } from '../../test/support/stores.ts';
import { openDatabase } from '../../test/support/test-database.ts';
import { newDatabase } from '../../test/support/zombie-run.ts';
import { readPostmasterPid, serverCpuMs } from '../support/backend-cpu.ts';
import { writeResult } from '../support/write-result.ts';
import { createRandom } from '../../test/support/random.ts';

const VECTORS = Number(process.argv[2] ?? 10_000);
const DIMENSIONS = 384;
const BATCH = 64;
const TEXTS_PER_PAGE = 500;

const postmaster = await readPostmasterPid(postgresUrl());

interface LoadCost {
  readonly serverMsPerVector: number;
  readonly seconds: number;
  /** Size of tables and indexes per vector. */
  readonly bytesPerVector: number;
}

async function load(index: 'row by row' | 'after the load'): Promise<LoadCost> {
  const random = createRandom(7);
  const { database, remove } = await newDatabase('postgres');
  let execute = async (_sql: string): Promise<void> => undefined;
  const { store, count } = await openDatabase(database, (engine) => {
    execute = async (sql) => void (await engine.transaction((tx) => tx.all(sql)));
    return engine;
  });
  const pages = Array.from({ length: VECTORS / TEXTS_PER_PAGE }, (_, page) => `https://x.dev/${page}`);
  await createRunFixture(store, pages);
  for (const claim of await claimAll(store, pages.length)) {
    const texts = Array.from({ length: TEXTS_PER_PAGE }, (_, nth) => `${claim.url} ${nth}`);
    await store.frontier.settle([createSettlement(claim, indexedOutcome(claim.url, ...texts))]);
  }
  const space = await store.vectors.openSpace('synthetic', DIMENSIONS, {});
  if (index === 'row by row') await execute(createIndexSql(space.id, DIMENSIONS, 'at once') ?? '');
  const [before, started] = [serverCpuMs(postmaster), performance.now()];
  for (;;) {
    const claims = await store.vectors.claim(space.id, WORKER, BATCH, 600_000);
    if (claims.length === 0) break;
    const vectors = claims.map(() => normalize(Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)));
    await store.vectors.settle(
      claims.map((claim, at) => ({ claim, outcome: { kind: 'embedded', vector: vectors[at] ?? new Float32Array() } })),
    );
  }
  await store.vectors.maintainIndex(space.id);
  const cost = {
    serverMsPerVector: round((serverCpuMs(postmaster) - before) / VECTORS),
    seconds: round((performance.now() - started) / 1000),
    bytesPerVector: Math.round(
      (await count(
        `select pg_total_relation_size('vectors') + pg_total_relation_size('space_vectors_${space.id}') as n`,
      )) / VECTORS,
    ),
  };
  await store.close();
  await remove();
  return cost;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const rowByRow = await load('row by row');
const afterLoad = await load('after the load');
writeResult('load-vectors-postgres', { vectors: VECTORS, dimensions: DIMENSIONS, rowByRow, afterLoad });
