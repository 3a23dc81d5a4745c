// PostgreSQL servers of one cluster: a primary, a streaming replica, and what is recovered from their archive. Their data is in memory where
// that is possible, owned by the user of Debian's package, since PostgreSQL does not run as root.

import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../support/free-port.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** No measure: a machine that does other work takes long. */
const STREAMS_WITHIN_MS = 600_000;
export const POSTGRES_BINARIES = process.env['PINAKES_TEST_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';
const IN_MEMORY = '/dev/shm';
const USER = 'postgres';
const LIBRARY = 'library';
const run = promisify(execFile);

export interface PostgresNode {
  readonly name: string;
  readonly port: number;
  readonly data: string;
  /** Address of the library. */
  readonly url: string;
}

export interface PostgresCluster {
  readonly primary: PostgresNode;
  readonly replica: PostgresNode;
  sql<Row>(node: PostgresNode, text: string): Promise<readonly Row[]>;
  /** Without notice: what is not in its files is lost. */
  crash(node: PostgresNode): Promise<void>;
  stop(node: PostgresNode): Promise<void>;
  promote(node: PostgresNode): Promise<void>;
  /** The replica receives nothing any more. */
  cutReplication(): Promise<void>;
  /** Makes a previous primary a replica of another one with pg_rewind, and waits until it streams. */
  rejoin(previous: PostgresNode, primary: PostgresNode): Promise<void>;
  /** A server recovered from the base backup and the archive, up to this restore point. */
  recover(restorePoint: string): Promise<PostgresNode>;
  remove(): Promise<void>;
}

/** A synchronous primary acknowledges a commit when the replica has it on its disk. */
export async function createPostgresCluster(replication: 'synchronous' | 'asynchronous'): Promise<PostgresCluster> {
  const home = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'pinakes-failover.'));
  const archive = join(home, 'archive');
  const backup = join(home, 'backup');
  mkdirSync(archive);
  const owner = process.getuid?.() === 0 ? await idsOf(USER) : null;
  for (const folder of [home, archive]) give(folder);
  const nodes: PostgresNode[] = [];

  function give(path: string): void {
    if (owner !== null) chownSync(path, owner.uid, owner.gid);
  }

  async function execute(program: string, ...args: readonly string[]): Promise<void> {
    const command = [join(POSTGRES_BINARIES, program), ...args];
    const [first = '', ...rest] = owner === null ? command : ['runuser', '-u', USER, '--', ...command];
    await run(first, rest, { cwd: '/' });
  }

  async function addNode(name: string): Promise<PostgresNode> {
    const port = await freePort();
    const node = { name, port, data: join(home, name), url: `postgres://${USER}@127.0.0.1:${port}/${LIBRARY}` };
    nodes.push(node);
    return node;
  }

  /** The files do not name the port: a copy of them is another server. */
  function start({ name, port, data }: PostgresNode): Promise<void> {
    const options = `-p ${port} -c cluster_name=${name}`;
    return execute('pg_ctl', 'start', '--wait', '--silent', '-D', data, '-o', options, '-l', join(home, `${name}.log`));
  }

  async function query<Row>(url: string, text: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  function follow(node: PostgresNode, primary: PostgresNode): void {
    const settings = join(node.data, 'postgresql.auto.conf');
    appendFileSync(
      settings,
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${USER} application_name=${node.name}'
synchronous_standby_names = ''
`,
    );
    const signal = join(node.data, 'standby.signal');
    writeFileSync(signal, '');
    give(signal);
  }

  const untilStreams = (primary: PostgresNode, name: string): Promise<void> =>
    waitUntil(
      `${name} streams`,
      async () => {
        const sql = `select 1 from pg_stat_replication where application_name = '${name}' and state = 'streaming'`;
        return (await query(primary.url, sql)).length > 0;
      },
      STREAMS_WITHIN_MS,
    );

  const primary = await addNode('a');
  await execute(
    'initdb',
    '-D',
    primary.data,
    `--username=${USER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--data-checksums',
  );
  appendFileSync(
    join(primary.data, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'
unix_socket_directories = '${home}'
max_connections = 100
wal_keep_size = 1GB
archive_mode = on
archive_command = 'cp %p ${archive}/%f'
hot_standby = on
fsync = on
synchronous_commit = on
`,
  );
  await start(primary);
  await query(primary.url.replace(LIBRARY, 'postgres'), `create database ${LIBRARY}`);
  const replica = await addNode('b');
  const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER, '--checkpoint=fast'];
  await execute('pg_basebackup', '-D', replica.data, ...source);
  await execute('pg_basebackup', '-D', backup, ...source);
  follow(replica, primary);
  await start(replica);
  await untilStreams(primary, replica.name);
  if (replication === 'synchronous') {
    await query(primary.url, `alter system set synchronous_standby_names = '${replica.name}'`);
    await query(primary.url, 'select pg_reload_conf()');
    await waitUntil('the replica is synchronous', async () => {
      return (await query(primary.url, `select 1 from pg_stat_replication where sync_state = 'sync'`)).length > 0;
    });
  }

  return {
    primary,
    replica,
    sql: ({ url }, text) => query(url, text),
    crash: ({ data }) => execute('pg_ctl', 'stop', '--wait', '--silent', '--mode=immediate', '-D', data),
    stop: ({ data }) => execute('pg_ctl', 'stop', '--wait', '--silent', '--mode=fast', '-D', data),
    promote: ({ data }) => execute('pg_ctl', 'promote', '--wait', '--silent', '-D', data),
    async cutReplication() {
      await query(replica.url, `alter system set primary_conninfo = ''`);
      await query(replica.url, 'select pg_reload_conf()');
      await waitUntil('the replica is cut off', async () => {
        return (await query(primary.url, 'select 1 from pg_stat_replication')).length === 0;
      });
    },
    async rejoin(previous, newer) {
      const server = `host=127.0.0.1 port=${newer.port} user=${USER} dbname=postgres`;
      // Until its first checkpoint, a promoted server names the old timeline in its control file, and pg_rewind finds nothing to do.
      await query(newer.url, 'checkpoint');
      await execute('pg_rewind', '--target-pgdata', previous.data, '--source-server', server);
      follow(previous, newer);
      await start(previous);
      await untilStreams(newer, previous.name);
    },
    async recover(restorePoint) {
      const node = await addNode('c');
      await run('cp', ['-a', backup, node.data]);
      chmodSync(node.data, 0o700);
      appendFileSync(
        join(node.data, 'postgresql.auto.conf'),
        `restore_command = 'cp ${archive}/%f %p'
recovery_target_name = '${restorePoint}'
recovery_target_action = 'promote'
archive_mode = off
`,
      );
      const signal = join(node.data, 'recovery.signal');
      writeFileSync(signal, '');
      give(signal);
      await start(node);
      await waitUntil('the recovered server is a primary', async () => {
        const [row] = await query<{ out: boolean }>(node.url, 'select pg_is_in_recovery() as out');
        return row?.out === false;
      });
      return node;
    },
    async remove() {
      for (const { data } of nodes)
        await execute('pg_ctl', 'stop', '--wait', '--silent', '--mode=immediate', '-D', data).catch(() => undefined);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function idsOf(user: string): Promise<{ readonly uid: number; readonly gid: number }> {
  const id = async (which: string): Promise<number> => Number((await run('id', [which, user])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

export function hasPostgresPrograms(): boolean {
  return ['initdb', 'pg_basebackup', 'pg_rewind'].every(
    (name) => existsSync(join(POSTGRES_BINARIES, name)) && statSync(join(POSTGRES_BINARIES, name)).isFile(),
  );
}
