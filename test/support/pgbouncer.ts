// Debian's PgBouncer in transaction mode in front of the test server. Few connections to the server, so that transactions of
// one client run on different ones.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { postgresUrl } from './stores.ts';
import { waitUntil } from './wait-until.ts';
import { temporaryDirectory } from './temporary-folder.ts';

export const PGBOUNCER = '/usr/sbin/pgbouncer';

export interface Pgbouncer {
  /** The same database through the pooler. */
  through(url: string): string;
  /** New connections go to another server, as after its address was changed and the settings were reloaded. */
  lead(server: string): void;
  close(): Promise<void>;
}

export async function startPgbouncer(poolSize = 3, target = postgresUrl()): Promise<Pgbouncer> {
  const server = new URL(target);
  const port = await freePort();
  const folder = temporaryDirectory();
  // It does not run as root, and its own user must read the files.
  chmodSync(folder, 0o755);
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const settings = join(folder, 'pgbouncer.ini');
  const writeSettings = ({ hostname, port: serverPort }: URL): void =>
    writeFileSync(
      settings,
      `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
    );
  writeSettings(server);
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const program = spawn(PGBOUNCER, [...asOther, settings], { stdio: 'ignore' });
  const ended = once(program, 'exit');
  await waitUntil('PgBouncer listens', () => isListening(port));
  return {
    through(url) {
      const pooled = new URL(url);
      pooled.hostname = '127.0.0.1';
      pooled.port = String(port);
      return pooled.href;
    },
    lead(other) {
      writeSettings(new URL(other));
      program.kill('SIGHUP');
    },
    async close() {
      program.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
