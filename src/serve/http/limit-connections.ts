// Limits how many connections one address has open before it has shown that it may use the library.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimit {
  /** The caller of this connection is known: it does not count any more. */
  readonly admit: (socket: Socket) => void;
}

/**
 * Counted before any byte is read. At the limit, a new connection closes the oldest one of its address instead of being refused: behind
 * a proxy all clients have one address, and connections that wait there must not shut out clients that present a token at once.
 */
export function limitConnections(server: Server, perAddress: number): ConnectionLimit {
  const unknown = new Map<string, Set<Socket>>();

  function forget(socket: Socket, address: string): void {
    const sockets = unknown.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) unknown.delete(address);
  }

  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const sockets = unknown.get(address) ?? new Set();
    unknown.set(address, sockets.add(socket));
    socket.once('close', () => forget(socket, address));
    const [oldest] = sockets;
    if (sockets.size > perAddress && oldest !== undefined) {
      forget(oldest, address);
      oldest.destroy();
    }
  });
  return { admit: (socket) => forget(socket, networkOf(socket.remoteAddress ?? '')) };
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
