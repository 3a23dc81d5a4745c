// A server on loopback that misbehaves on purpose. The first segment of the path names the behaviour; the list is in
// chaos-behaviours.ts and follows test/data/cases/hostile-server.json.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { CHAOS_BEHAVIOURS } from './chaos-behaviours.ts';

export interface ChaosRequest {
  readonly socket: Socket;
  /** The path after the name of the behaviour, with the query. */
  readonly path: string;
  readonly url: string;
  readonly headers: string;
  /** How often this behaviour was requested before. */
  readonly nth: number;
  /** Where the sentinel listens. */
  readonly sentinelPort: number;
  /** How long "a second" is, so that tests run faster. */
  readonly secondMs: number;
  /** Runs periodically until the socket is closed. */
  readonly repeat: (everyMs: number, run: () => void) => void;
  /** A complete valid response. */
  readonly answer: (status: number, headers: Readonly<Record<string, string>>, body: string | Buffer) => void;
}

export interface ChaosServer {
  readonly port: number;
  url(behaviour: string, path?: string): string;
  /** Requests, in order. */
  readonly requests: ReadonlyArray<{ readonly url: string; readonly headers: string }>;
  openSockets(): number;
  close(): Promise<void>;
}

export async function startChaosServer(options: {
  readonly sentinelPort: number;
  readonly secondMs: number;
  /** The behaviour of the whole site, including robots.txt; otherwise each behaviour has its own folder. */
  readonly site?: string;
}): Promise<ChaosServer> {
  const requests: Array<{ url: string; headers: string }> = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();

  const onRequest = (socket: Socket, head: string): void => {
    const url = head.split(' ')[1] ?? '/';
    requests.push({ url, headers: head });
    const [, folder = '', below = ''] = /^\/([^/?]+)(.*)$/.exec(url) ?? [];
    const [name, rest] = options.site === undefined ? [folder, below] : [options.site, url];
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    const behave = CHAOS_BEHAVIOURS[name];
    if (behave === undefined) return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    behave({
      ...options,
      socket,
      url,
      path: rest,
      headers: head,
      nth,
      repeat(everyMs, run) {
        const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : run()), everyMs);
        socket.once('close', () => clearInterval(timer));
      },
      answer(status, headers, body) {
        const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
        socket.write(`HTTP/1.1 ${status} X\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`);
        socket.write(body);
      },
    });
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let waiting = '';
    socket.on('data', (data) => {
      waiting += data.toString('latin1');
      for (let end = waiting.indexOf('\r\n\r\n'); end !== -1; end = waiting.indexOf('\r\n\r\n')) {
        const head = waiting.slice(0, end);
        waiting = waiting.slice(end + 4);
        onRequest(socket, head);
      }
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: (behaviour, path = '') => `http://127.0.0.1:${port}/${behaviour}${path}`,
    requests,
    openSockets: () => sockets.size,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      for (const socket of sockets) socket.destroy();
      await closed.promise;
    },
  };
}
