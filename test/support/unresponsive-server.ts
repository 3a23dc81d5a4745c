// A server that listens and never accepts: its process is stopped, and its connection queue is full.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface UnresponsiveServer {
  readonly port: number;
  close(): Promise<void>;
}

const LISTEN = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
  process.stdout.write(String(this.address().port));
})`;

export async function startUnresponsiveServer(): Promise<UnresponsiveServer> {
  const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(said.toString());
  child.kill('SIGSTOP');
  const filling: Socket[] = Array.from({ length: 4 }, () => connect({ host: '127.0.0.1', port }));
  for (const socket of filling) socket.on('error', () => undefined);
  await wait(200);
  return {
    port,
    async close() {
      for (const socket of filling) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
