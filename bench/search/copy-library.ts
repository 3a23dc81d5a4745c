// node bench/search/copy-library.ts LIBRARY COPIES [QDRANT_URL]: makes a library larger for measurements, by copies of each of its
// sources under other names and versions: pages, segments, and with a Qdrant that holds the library, its points. Texts are not
// copied, so copies are found but cannot be read. Copies that the library has already are kept, and so many are added to them. LIBRARY
// is written to: give it a copy.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openNodes, type Nodes } from '../../src/index/qdrant/nodes.ts';
import { chunkPointId, chunkPosition } from '../../src/index/qdrant/page-points.ts';

const [, , library, copiesText, url] = process.argv;
const copies = Number(copiesText);
if (library === undefined || !Number.isInteger(copies))
  throw new Error('usage: node bench/search/copy-library.ts LIBRARY COPIES [QDRANT_URL]');
const database = new DatabaseSync(join(library, 'pinakes.db'), { enableForeignKeyConstraints: false });

/** Ids of a copy are those of the original and a multiple of this. */
const STEP = 1_000_000;
/** Number of the first copy that is made. */
const first = 1 + Math.floor(Number(database.prepare('select max(id) as id from sources').get()?.['id']) / STEP);
/** What changes in the rows of a copy; the first column tells them from the originals. */
const COPIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sources: { id: 'id + $step', name: `name || '-' || $copy`, due_at: 'null' },
  versions: { id: 'id + $step', source_id: 'source_id + $step' },
  pages: { version_id: 'version_id + $step' },
  search_segments: { id: 'id + $step', version_id: 'version_id + $step' },
  search_columns: { segment_id: 'segment_id + $step' },
  search_pages: { version_id: 'version_id + $step', segment_id: 'segment_id + $step' },
  search_postings: { segment_id: 'segment_id + $step' },
  point_pages: { number: 'number + $step', version_id: 'version_id + $step' },
  term_samples: { version_id: 'version_id + $step' },
};
function copyRows(copy: number): void {
  for (const [table, changed] of Object.entries(COPIED)) {
    const columns = database.prepare(`select name from pragma_table_info('${table}')`).all() as Array<{ name: string }>;
    const names = columns.map(({ name }) => name);
    const values = names.map(
      (name) => changed[name]?.replace('$step', String(copy * STEP)).replace('$copy', String(copy)) ?? name,
    );
    const originals = `${Object.keys(changed)[0]} between 1 and ${STEP - 1}`;
    database.exec(`insert into ${table} (${names.join()}) select ${values.join()} from ${table} where ${originals}`);
  }
}

interface Point {
  readonly id: number;
  readonly vector: unknown;
  readonly payload: { readonly page?: number; readonly version?: number };
}

const POINTS = 1000;
const OPTIONS = { timeoutMs: 300_000 };

function copyOf({ id, vector, payload }: Point, copy: number): Point {
  const step = copy * STEP;
  if (payload.page === undefined)
    return { id: id + step, vector, payload: { ...payload, version: (payload.version ?? 0) + step } };
  const { page, ordinal } = chunkPosition(id);
  return { id: chunkPointId(page + step, ordinal), vector, payload: { page: page + step } };
}

/** Each part of the collection is read once and written once for each copy. */
async function copyPoints(nodes: Nodes, collection: string): Promise<number> {
  const path = `/collections/${collection}/points`;
  const last = collection.endsWith('chunks') ? chunkPointId(STEP, 0) : STEP;
  let read = 0;
  for (let offset: number | null = 0; offset !== null && offset < last;) {
    const body = { offset, limit: POINTS, with_payload: true, with_vector: true };
    const part: { points: readonly Point[]; next_page_offset: number | null } = await nodes.read(
      { method: 'POST', path: `${path}/scroll`, body },
      OPTIONS,
    );
    const originals = part.points.filter(({ id }) => id < last);
    const writes = Array.from({ length: copies }, (_, at) => originals.map((point) => copyOf(point, first + at)));
    for (const points of writes)
      await nodes.write({ method: 'PUT', path: `${path}?wait=false`, body: { points } }, OPTIONS);
    read += originals.length;
    if (read % (50 * POINTS) === 0)
      console.error(`${collection}: ${read} points copied, ${Math.round(performance.now() / 1000)} s`);
    offset = part.next_page_offset;
  }
  return read;
}

async function untilOptimized(nodes: Nodes, collection: string): Promise<void> {
  for (;;) {
    const { status } = await nodes.read<{ status: string }>(
      { method: 'GET', path: `/collections/${collection}` },
      OPTIONS,
    );
    if (status === 'green') return;
    await new Promise((resolve) => setTimeout(resolve, 5000));
  }
}

database.exec('begin');
for (let copy = first; copy < first + copies; copy += 1) copyRows(copy);
database.exec('commit');
console.error(`rows copied, ${Math.round(performance.now() / 1000)} s`);
if (url !== undefined) {
  const nodes = openNodes({ urls: [url], apiKey: undefined });
  const { collections } = await nodes.read<{ collections: ReadonlyArray<{ name: string }> }>(
    { method: 'GET', path: '/collections' },
    OPTIONS,
  );
  for (const name of collections.map((one) => one.name).filter((one) => /-(?:pages|chunks)$/.test(one))) {
    console.error(`${name}: ${await copyPoints(nodes, name)} points copied`);
    await untilOptimized(nodes, name);
  }
}
database.close();
console.error(`done, ${Math.round(performance.now() / 1000)} s`);
