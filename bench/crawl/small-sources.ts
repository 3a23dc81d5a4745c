// node bench/crawl/small-sources.ts [SOURCES] [--write NAME]: what a source with a single page costs a server, from its addition until it is
// indexed. CPU time of the process, with SQLite and, if PINAKES_TEST_POSTGRES_URL is set, with PostgreSQL.

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '../../src/client/index.ts';
import { freePort, untilAnswers } from '../../test/support/free-port.ts';
import { start } from '../../test/support/program.ts';
import { docPage, startDocSite } from '../../test/support/scripted-site.ts';
import { createDatabase } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const DEFAULT_SOURCES = 200;
const POLL_MS = 300;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'string' } } });
const sources = Number(positionals[0] ?? DEFAULT_SOURCES);
const postgres = process.env['PINAKES_TEST_POSTGRES_URL'] === undefined ? null : await measure('postgres');
const result = { sources, sqlite: await measure('sqlite'), postgres };
console.log(JSON.stringify(result, null, 2));
if (values.write !== undefined) writeResult(values.write, result);

async function measure(engine: 'sqlite' | 'postgres') {
  const site = await startDocSite({}, (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(docPage(`page ${request.url}`));
  });
  const database = engine === 'postgres' ? await createDatabase() : null;
  const port = await freePort();
  const server = start(
    {
      ...(database === null ? {} : { PINAKES_DATABASE_URL: database.url }),
      PINAKES_DATA_DIR: temporaryDirectory(),
      PINAKES_SERVE_PORT: String(port),
      PINAKES_SERVE_REQUESTS_PER_MINUTE: '100000',
      PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      PINAKES_FETCH_ALLOW_PORTS: '1024-65535',
      PINAKES_CRAWL_START_DELAY_MS: '0',
      PINAKES_CRAWL_MIN_DELAY_MS: '0',
    },
    ['serve'],
  );
  await untilAnswers(port);
  const client = connect({ server: `http://127.0.0.1:${port}` });
  const began = performance.now();
  const before = cpuSeconds(server.pid);
  for (let nth = 0; nth < sources; nth += 1) await client.add({ url: `${site.origin}/${nth}/`, name: `source-${nth}` });
  while (await isBusy(port)) await wait(POLL_MS);
  const cpu = cpuSeconds(server.pid) - before;
  const seconds = (performance.now() - began) / 1000;
  server.kill('SIGTERM');
  await server.ended;
  await client.close();
  await site.close();
  await database?.drop();
  return { cpuMsPerSource: Math.round((cpu / sources) * 1000), seconds: Math.round(seconds) };
}

async function isBusy(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/api/runs?limit=100`);
  const { runs, unindexed } = (await response.json()) as { runs: ReadonlyArray<{ state: string }>; unindexed: number };
  return unindexed > 0 || runs.some(({ state }) => state === 'queued' || state === 'running');
}

/** The CPU time of all threads of the process. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}
