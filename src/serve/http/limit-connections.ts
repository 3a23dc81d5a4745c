// Limits how many connections one address has open before it has shown that it may use the library, and how many one token has after.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimit {
  /**
   * The caller of this connection is known: it counts for the token instead of for its address. False if the token has as many
   * connections as it may; then nothing changes. A null token is a caller on a server without tokens, who may have any number.
   */
  readonly admit: (socket: Socket, token: string | null) => boolean;
}

export interface ConnectionBounds {
  readonly perAddress: number;
  readonly perToken: number;
}

/**
 * Counted before any byte is read. At the limit, a new connection closes the oldest one of its address instead of being refused: behind
 * a proxy all clients have one address, and connections that wait there must not shut out clients that present a token at once. Of a
 * token the new connections are refused, because its streams are in use.
 */
export function limitConnections(server: Server, { perAddress, perToken }: ConnectionBounds): ConnectionLimit {
  const unknown = new Map<string, Set<Socket>>();
  const ofToken = new Map<string, Set<Socket>>();
  /** A proxy may send requests of several callers through one connection. */
  const tokens = new WeakMap<Socket, string>();

  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const sockets = addTo(unknown, address, socket);
    socket.once('close', () => {
      removeFrom(unknown, address, socket);
      removeFrom(ofToken, tokens.get(socket), socket);
    });
    const [oldest] = sockets;
    if (sockets.size > perAddress && oldest !== undefined) {
      removeFrom(unknown, address, oldest);
      oldest.destroy();
    }
  });
  return {
    admit(socket, token) {
      const before = tokens.get(socket);
      if (token !== null && token !== before) {
        if ((ofToken.get(token)?.size ?? 0) >= perToken) return false;
        removeFrom(ofToken, before, socket);
        tokens.set(socket, token);
        addTo(ofToken, token, socket);
      }
      removeFrom(unknown, networkOf(socket.remoteAddress ?? ''), socket);
      return true;
    },
  };
}

type Sockets = Map<string, Set<Socket>>;

function addTo(all: Sockets, key: string, socket: Socket): ReadonlySet<Socket> {
  const sockets = all.get(key) ?? new Set();
  all.set(key, sockets.add(socket));
  return sockets;
}

function removeFrom(all: Sockets, key: string | undefined, socket: Socket): void {
  if (key === undefined) return;
  const sockets = all.get(key);
  sockets?.delete(socket);
  if (sockets?.size === 0) all.delete(key);
}

/** One host has a whole network of 64 bits in IPv6. */
function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const groups = [
    ...before,
    ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'),
    ...after,
  ];
  return groups.slice(0, 4).join(':');
}
