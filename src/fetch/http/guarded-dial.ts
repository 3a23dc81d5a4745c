// Opens a TCP connection to a host that the address guard admits: directly, or through the operator's proxy.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { guardPolicy, type GuardSettings } from '../../core/ssrf/guard-policy.ts';
import { hostAndPort, portOf } from '../../core/ssrf/ssrf-verdict.ts';
import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import { systemResolve } from './bounded-lookup.ts';
import type { ProxyTarget } from './proxied-dispatch.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { ResolveName } from './resolve-name.ts';

export interface DialTarget {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http:' | 'https:';
}

/** Rejects with `GuardRefusal` before anything is connected, or with the error of the connection. */
export type GuardedDial = (target: DialTarget) => Promise<Socket>;

export interface GuardedDialOptions extends GuardSettings {
  readonly connectTimeoutMs: number;
  readonly dnsTimeoutMs: number;
  readonly ownPorts?: () => readonly number[];
  readonly proxies?: ProxySettings | null;
  readonly proxyTarget?: ProxyTarget;
  readonly resolve?: ResolveName;
  /** Replaced in tests, so that a broken guard reaches nothing. */
  readonly open?: (address: string, port: number) => Socket;
}

const MAX_ATTEMPTS = 3;
/** Limit for the response head of the operator's proxy. */
const MAX_HEAD_BYTES = 8192;

export function createGuardedDial(options: GuardedDialOptions): GuardedDial {
  const guard = createAddressGuard({
    policy: guardPolicy(options),
    resolve: options.resolve ?? systemResolve,
    dnsTimeoutMs: options.dnsTimeoutMs,
    ...(options.ownPorts === undefined ? {} : { ownPorts: options.ownPorts }),
  });
  const open = options.open ?? ((host, port) => connect({ host, port }));
  return async (target) => {
    const origin = `${target.protocol}//${hostAndPort(target.host, target.port)}`;
    const proxy = URL.canParse(origin) ? (options.proxies?.proxyFor(new URL(origin)) ?? null) : null;
    if (proxy !== null) return dialByProxy(new URL(proxy), target, guard, options);
    const addresses = await guard.admit(target.host, target.port);
    let failure: unknown;
    for (const address of addresses.slice(0, MAX_ATTEMPTS)) {
      try {
        return await connected(open(address, target.port), 'connect', options.connectTimeoutMs);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}

function connected(socket: Socket, event: 'connect' | 'secureConnect', timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const timer = setTimeout(() => socket.destroy(new Error('connect timeout')), timeoutMs);
  socket.once(event, () => resolve(socket));
  socket.once('error', reject);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('error', reject);
  });
}

/** A tunnel of the operator's proxy, to the name or to the address that was checked. */
async function dialByProxy(
  proxy: URL,
  { host, port }: DialTarget,
  guard: AddressGuard,
  { proxyTarget = 'name', connectTimeoutMs }: GuardedDialOptions,
): Promise<Socket> {
  let to = host;
  if (proxyTarget === 'name') await guard.admitByProxy(host, port);
  else {
    const [address = host] = await guard.admit(host, port);
    if (proxyTarget === 'address') to = address;
  }
  const { hostname, username, password } = proxy;
  const isTls = proxy.protocol === 'https:';
  const socket = isTls
    ? connectTls({ host: hostname, port: portOf(proxy), servername: hostname })
    : connect({ host: hostname, port: portOf(proxy) });
  await connected(socket, isTls ? 'secureConnect' : 'connect', connectTimeoutMs);
  const authority = hostAndPort(to, port);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? '' : `proxy-authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`);
  const head = await readHead(socket, connectTimeoutMs);
  if (/^HTTP\/1\.\d 200 /.test(head)) return socket;
  socket.destroy();
  throw new Error('the proxy refused a tunnel');
}

/** Up to the empty line; what follows it stays in the socket. */
function readHead(socket: Socket, timeoutMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => socket.destroy(new Error('the proxy does not respond')), timeoutMs);
  let read = Buffer.alloc(0);
  const onData = (part: Buffer): void => {
    read = Buffer.concat([read, part]);
    const end = read.indexOf('\r\n\r\n');
    if (end === -1 && read.length < MAX_HEAD_BYTES) return;
    socket.off('data', onData).pause();
    if (end === -1) return reject(new Error('the proxy sent no response head'));
    if (read.length > end + 4) socket.unshift(read.subarray(end + 4));
    resolve(read.toString('latin1', 0, end));
  };
  socket.on('data', onData);
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the proxy closed the connection')));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('error', reject);
  });
}
