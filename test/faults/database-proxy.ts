// A TCP proxy before PostgreSQL that can cut, go silent, be slow, and lose the answer to a COMMIT.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Direction = 'to-server' | 'to-client';

export interface DatabaseProxy {
  readonly url: string;
  /** Ends every connection with a reset. */
  cut(): void;
  /** Refuses new connections and cuts the old ones, until opened again. */
  refuse(): void;
  /** Takes bytes and passes none on, without a word to either side. */
  blackhole(directions: readonly Direction[]): void;
  /** Adds this to every answer. */
  slow(ms: number): void;
  /** The next answers to COMMIT are lost: the connection is cut after the server has committed. */
  loseCommits(times: number): void;
  /** How many of them were lost so far. */
  lost(): number;
  /** How many came so far. */
  connections(): number;
  /** Connections that exist stay silent for ever; new ones work. */
  forget(): void;
  /** As nothing were wrong. Connections that were silent are cut, as a firewall that forgot them does. */
  open(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Passes nothing on any more. */
  dead: boolean;
  silent: boolean;
}

export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
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
    const pair: Pair = { client, server: connect({ host: hostname, port: Number(port) }), dead: false, silent: false };
    pairs.add(pair);
    const isCommit = createCommitSpotter();
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

/** Our driver sends it as a named statement: its text comes once a connection, later only the name does. */
function createCommitSpotter(): (data: Buffer) => boolean {
  let name: string | undefined;
  return (data) => {
    const text = data.toString('latin1');
    name = /P[^]{4}(s\d+)\0commit\0/.exec(text)?.[1] ?? name;
    return name !== undefined && /B[^]{4}\0(s\d+)\0/.exec(text)?.[1] === name;
  };
}
