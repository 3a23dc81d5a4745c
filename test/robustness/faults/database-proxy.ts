// A TCP proxy in front of PostgreSQL that can cut, go silent, be slow, lose the response to a COMMIT, and lead to another server.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Direction = 'to-server' | 'to-client';

export interface DatabaseProxy {
  readonly url: string;
  /** Ends every connection with a reset. */
  cut(): void;
  /** Refuses new connections and cuts existing ones, until reopened. */
  refuse(): void;
  /** Accepts bytes and forwards none, without notice to either side. */
  blackhole(directions: readonly Direction[]): void;
  /** Delays every response by this. */
  slow(ms: number): void;
  /** The next responses to COMMIT are lost: the connection is cut after the server has committed. */
  loseCommits(times: number): void;
  /** How many of them were lost so far. */
  lost(): number;
  /** How many connections were made so far. */
  connections(): number;
  /** Existing connections stay silent forever; new ones work. */
  forget(): void;
  /** Cuts every connection; new ones go to these servers in turn, with the same user and database. */
  lead(targets: readonly string[]): void;
  /** Back to normal. Silent connections are cut, as by a firewall that has dropped its state. */
  open(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Forwards nothing any more. */
  dead: boolean;
  silent: boolean;
}

export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  let targets: readonly string[] = [target];
  const pairs = new Set<Pair>();
  const closed = new Set<Direction>();
  const faults = { refusing: false, delayMs: 0, commitsToLose: 0, lost: 0, connections: 0 };

  const drop = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.destroy();
  };

  const listener = createServer((client) => {
    faults.connections += 1;
    if (faults.refusing) return void client.resetAndDestroy();
    const { hostname, port } = new URL(targets[faults.connections % targets.length] ?? target);
    const pair: Pair = { client, server: connect({ host: hostname, port: Number(port) }), dead: false, silent: false };
    pairs.add(pair);
    let losing = false;
    client.on('data', (data) => {
      if (pair.dead || closed.has('to-server')) return void (pair.silent = true);
      if (isCommit(data) && faults.commitsToLose > 0) {
        faults.commitsToLose -= 1;
        losing = true;
      }
      pair.server.write(data);
    });
    pair.server.on('data', (data) => {
      if (pair.dead || closed.has('to-client')) return void (pair.silent = true);
      if (losing) {
        faults.lost += 1;
        drop(pair);
      } else if (faults.delayMs === 0) client.write(data);
      else setTimeout(() => client.destroyed || client.write(data), faults.delayMs);
    });
    for (const socket of [client, pair.server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => (closed.size > 0 ? (pair.silent = true) : drop(pair)));
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(target);
  url.port = String((listener.address() as AddressInfo).port);
  const cut = (): void => [...pairs].forEach(drop);

  return {
    url: url.href,
    cut,
    refuse() {
      faults.refusing = true;
      cut();
    },
    lead(others) {
      targets = others;
      cut();
    },
    blackhole: (directions) => directions.forEach((direction) => closed.add(direction)),
    slow: (ms) => void (faults.delayMs = ms),
    loseCommits: (times) => void (faults.commitsToLose = times),
    lost: () => faults.lost,
    connections: () => faults.connections,
    forget() {
      for (const pair of pairs) pair.dead = true;
      closed.clear();
    },
    open() {
      faults.refusing = false;
      faults.delayMs = 0;
      closed.clear();
      for (const pair of pairs) if (pair.silent) drop(pair);
    },
    async close() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** Our driver sends it as a simple query. */
function isCommit(data: Buffer): boolean {
  return /Q[^]{4}commit\0/.test(data.toString('latin1'));
}
