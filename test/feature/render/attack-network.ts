// Where the connections of an attack end: at a seam of the proxy, for the gate; or at real sockets in a network namespace in
// which every address of the internet is this machine.

import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { answerAttack } from './attack-cases.ts';

export interface AttackNetwork {
  /** Addresses that something connected to. */
  readonly connected: readonly string[];
  /** A server on loopback. */
  readonly sentinelPort: number;
  readonly udpPort: number;
  readonly packets: () => number;
  /** How the proxy connects, if not by itself. */
  readonly open?: (address: string, port: number) => Socket;
  close(): Promise<void>;
}

/** The proxy connects to one server instead of the address, which is recorded; only what bypasses the proxy is real. */
export async function openSeamNetwork(): Promise<AttackNetwork> {
  const connected: string[] = [];
  const sentinel = await listen(0, '127.0.0.1', '', () => connected.push('127.0.0.1'));
  const site = await listen(0, '127.0.0.1', `127.0.0.1:${sentinel.port}`, () => undefined);
  const udp = await listenUdp(0);
  return {
    connected,
    sentinelPort: sentinel.port,
    udpPort: udp.port,
    packets: udp.packets,
    open(address) {
      connected.push(address);
      return connect({ host: '127.0.0.1', port: site.port });
    },
    async close() {
      await Promise.all([sentinel.close(), site.close(), udp.close()]);
    },
  };
}

/** Ports of the cases, and those of services that a page would look for. */
const PORTS = [22, 25, 80, 443, 2375, 3306, 5432, 6000, 6379, 8080, 8443, 9200, 11_211, 27_017];
const SENTINEL_PORT = 8081;
/** DNS, multicast DNS, QUIC and STUN. */
const UDP_PORTS = [3478, 53, 443, 5353];

/** Every address is local in the namespace: `ip route add local 0.0.0.0/0 dev lo`. */
export async function openNamespaceNetwork(): Promise<AttackNetwork> {
  const connected: string[] = [];
  const sentinel = `127.0.0.1:${SENTINEL_PORT}`;
  const listeners = await Promise.all(
    [...PORTS, SENTINEL_PORT].map((port) => listen(port, '::', sentinel, (address) => connected.push(address))),
  );
  const udp = await Promise.all(UDP_PORTS.map(listenUdp));
  return {
    connected,
    sentinelPort: SENTINEL_PORT,
    udpPort: UDP_PORTS[0] ?? 0,
    packets: () => udp.reduce((sum, one) => sum + one.packets(), 0),
    async close() {
      await Promise.all([...listeners, ...udp].map((one) => one.close()));
    },
  };
}

interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

async function listen(
  port: number,
  host: string,
  sentinel: string,
  onConnection: (address: string) => void,
): Promise<Listener> {
  const server = createServer((request, response) => answerAttack(request, response, sentinel));
  server.on('connection', (socket) => onConnection((socket.localAddress ?? '').replace(/^::ffff:/, '')));
  // What is not HTTP, such as the start of TLS.
  server.on('clientError', (_, socket) => void socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenUdp(port: number): Promise<Listener & { readonly packets: () => number }> {
  const socket = createSocket({ type: 'udp6', ipv6Only: false });
  let packets = 0;
  socket.on('message', () => (packets += 1));
  await new Promise<void>((resolve) => socket.bind(port, resolve));
  return { port: socket.address().port, packets: () => packets, close: async () => void socket.close() };
}
