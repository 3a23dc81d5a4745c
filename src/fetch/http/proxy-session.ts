// One browser context at the forward proxy: its credentials, what its page may do there, and what it did.
//
// Between two pages nothing passes: a request that a page sends while it is closed, or a worker that outlives it, is refused. A
// page reaches only hosts that one of its requests was admitted to, since the proxy alone sees every connection.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DialTarget } from './guarded-dial.ts';

/** What one page may cost. */
export interface PageBudget {
  readonly maxReceivedBytes: number;
  readonly maxSentBytes: number;
  /** Tunnels and plain requests. */
  readonly maxRequests: number;
}

/** A connection without credentials is refused. */
export interface ProxySession {
  readonly username: string;
  readonly password: string;
  /** Received and sent for the page that was started last. */
  readonly bytes: () => number;
  readonly sentBytes: () => number;
  /** Hosts that the guard refused to that page, with its rule. */
  readonly refusals: () => readonly ProxyRefusal[];
  /** A new page: counts from zero. */
  start(budget: PageBudget): void;
  /** The page may connect to this host: without brackets, and a port. */
  admit(host: string, port: number): void;
  /** The page is over: closes its connections, and refuses others. */
  stop(): void;
  /** Its credentials are void. */
  close(): void;
}

export interface ProxyRefusal {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  readonly rule: string;
}

/** The page of a session, as the proxy sees it. */
export interface ProxiedPage {
  readonly sockets: Set<Duplex>;
  /** Whether the page may connect to it. Counts as a request. */
  mayConnect(target: Pick<DialTarget, 'host' | 'port'>): Promise<boolean>;
  isOver(): boolean;
  /** Both close all connections of the page when it exceeds its budget. */
  countReceived(bytes: number): void;
  countSent(bytes: number): void;
  refuse(refusal: ProxyRefusal): void;
}

interface PageState extends ProxiedPage {
  readonly traffic: { received: number; sent: number; readonly refusals: ProxyRefusal[] };
  admit(key: string): void;
  end(): void;
}

interface SessionState {
  readonly password: Buffer;
  page: PageState;
}

export interface ProxySessions {
  open(): ProxySession;
  /** The page of the credentials in a request; null if they are wrong. */
  pageOf(request: IncomingMessage): ProxiedPage | null;
  closeAll(): void;
}

const MAX_REFUSALS = 100;
/** A browser may connect a moment before the request that it connects for is admitted. */
const ADMISSION_WAIT_MS = 1000;
const NOTHING: PageBudget = { maxReceivedBytes: 0, maxSentBytes: 0, maxRequests: 0 };

export function createProxySessions(): ProxySessions {
  const sessions = new Map<string, SessionState>();

  function open(): ProxySession {
    const username = randomBytes(8).toString('hex');
    const password = randomBytes(24).toString('hex');
    const state: SessionState = { password: Buffer.from(password), page: createPage(NOTHING) };
    sessions.set(username, state);
    return {
      username,
      password,
      bytes: () => state.page.traffic.received,
      sentBytes: () => state.page.traffic.sent,
      refusals: () => state.page.traffic.refusals,
      start(budget) {
        state.page.end();
        state.page = createPage(budget);
      },
      admit: (host, port) => state.page.admit(keyOf({ host, port })),
      stop: () => state.page.end(),
      close() {
        sessions.delete(username);
        state.page.end();
      },
    };
  }

  return {
    open,
    pageOf(request) {
      const [, encoded = ''] = /^basic +([\w+/=]+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
      const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
      const state = sessions.get(username);
      const received = Buffer.from(password, 'latin1');
      if (state === undefined || received.length !== state.password.length) return null;
      return timingSafeEqual(received, state.password) ? state.page : null;
    },
    closeAll() {
      for (const { page } of sessions.values()) page.end();
      sessions.clear();
    },
  };
}

function keyOf({ host, port }: Pick<DialTarget, 'host' | 'port'>): string {
  return `${host.toLowerCase()}:${port}`;
}

function createPage({ maxReceivedBytes, maxSentBytes, maxRequests }: PageBudget): PageState {
  const sockets = new Set<Duplex>();
  const traffic = { received: 0, sent: 0, refusals: [] as ProxyRefusal[] };
  const admissions = new Map<string, PromiseWithResolvers<true>>();
  const over = Promise.withResolvers<false>();
  let isOver = false;
  let requests = 0;

  const closeSockets = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const isExceeded = (): boolean => traffic.received > maxReceivedBytes || traffic.sent > maxSentBytes;
  const closeIfExceeded = (): void => (isExceeded() ? closeSockets() : undefined);
  const admissionOf = (key: string): PromiseWithResolvers<true> => {
    const admission = admissions.get(key) ?? Promise.withResolvers<true>();
    admissions.set(key, admission);
    return admission;
  };

  return {
    sockets,
    traffic,
    isOver: () => isOver,
    async mayConnect(target) {
      requests += 1;
      if (isOver || isExceeded() || requests > maxRequests) return false;
      const late = Promise.withResolvers<false>();
      const timer = setTimeout(() => late.resolve(false), ADMISSION_WAIT_MS).unref();
      const may = await Promise.race([admissionOf(keyOf(target)).promise, over.promise, late.promise]);
      clearTimeout(timer);
      return may && !isOver;
    },
    countReceived(bytes) {
      traffic.received += bytes;
      closeIfExceeded();
    },
    countSent(bytes) {
      traffic.sent += bytes;
      closeIfExceeded();
    },
    refuse(refusal) {
      if (traffic.refusals.length < MAX_REFUSALS) traffic.refusals.push(refusal);
    },
    admit: (key) => admissionOf(key).resolve(true),
    end() {
      isOver = true;
      over.resolve(false);
      closeSockets();
    },
  };
}
