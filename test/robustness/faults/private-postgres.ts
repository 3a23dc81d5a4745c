// A private PostgreSQL that may be stopped, killed and restarted: never the one that other tests use.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/postgres.sh', import.meta.url));
const IN_MEMORY = '/dev/shm';
const run = promisify(execFile);

export interface PrivatePostgres {
  readonly url: string;
  /** Where its socket and logs are. */
  readonly home: string;
  createDatabase(more?: string): Promise<string>;
  sql<Row>(text: string, database?: string): Promise<readonly Row[]>;
  /** `immediate` is a crash: the next start recovers from the log. */
  stop(mode: 'immediate' | 'fast'): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const state = temporaryDirectory();
  // In memory if possible: a crashed process loses nothing there, and a restart takes less than a minute.
  const env = existsSync(IN_MEMORY) ? { ...process.env, PINAKES_TEST_POSTGRES_FOLDER: IN_MEMORY } : process.env;
  const { stdout } = await run('bash', [SCRIPT, 'up', state], { env });
  const url = stdout.trim();
  const home = readFileSync(join(state, 'home'), 'utf8');
  const control = async (...args: readonly string[]): Promise<void> => {
    await run('bash', [SCRIPT, 'control', state, ...args]);
  };
  const sql = async <Row>(text: string, database = url): Promise<readonly Row[]> => {
    const client = new pg.Client({ connectionString: database });
    // A server that is killed responds with an additional error besides the query's own.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  let databases = 0;
  return {
    url,
    home,
    sql,
    async createDatabase(more = '') {
      const name = `fault_${(databases += 1)}`;
      await sql(`create database ${name} ${more}`);
      const own = new URL(url);
      own.pathname = `/${name}`;
      return own.href;
    },
    stop: (mode) => control('stop', `--mode=${mode}`, '--wait', '--silent'),
    start: () => control('start', '--wait', '--silent', `--log=${join(home, 'server.log')}`),
    async remove() {
      await run('bash', [SCRIPT, 'down', state]);
      rmSync(state, { recursive: true, force: true });
    },
  };
}
