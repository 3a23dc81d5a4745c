// A fetcher for the guard cases: names are resolved from a table, sockets go to one site on loopback, and what was
// dialled is recorded.

import { createHttpFetcher, type HttpFetcherOptions } from '../../src/fetch/http/http-fetcher.ts';
import type { FetchOutcome, Fetcher, FetchRequest } from '../../src/fetch/port.ts';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import { startCountingServer, type CountingServer } from './counting-server.ts';
import { recordingDial, type Dialled } from './recording-dial.ts';
import type { RequestListener } from 'node:http';

export interface GuardedFetch {
  readonly fetcher: Fetcher;
  readonly site: CountingServer;
  /** Must never receive a request. */
  readonly sentinel: CountingServer;
  readonly dialled: readonly Dialled[];
  /** Names that were looked up. */
  readonly resolved: readonly string[];
  send(url: string, request?: Partial<FetchRequest>): Promise<FetchOutcome>;
  close(): Promise<void>;
}

export interface GuardedFetchOptions extends Partial<HttpFetcherOptions> {
  readonly answer?: RequestListener;
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

export const PUBLIC = '93.184.215.14';

export async function guardedFetch(options: GuardedFetchOptions = {}): Promise<GuardedFetch> {
  const site = await startCountingServer(options.answer ?? ((_, response) => response.end('public')));
  const sentinel = await startCountingServer((_, response) => response.end('secret'));
  const { dial, dialled } = recordingDial(site.port, (_, port) => port === sentinel.port);
  const resolved: string[] = [];
  const fetcher = createHttpFetcher({
    userAgent: 'pinakes-test',
    allowCidrs: [],
    dial,
    async resolve(name) {
      resolved.push(name);
      const addresses = options.names?.[name];
      if (addresses === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
      return addresses;
    },
    ...options,
  });
  return {
    fetcher,
    site,
    sentinel,
    dialled,
    resolved,
    // The cases hold raw texts, which a caller would have rejected before: the fetcher must stand alone.
    send: (url, request) => fetcher.fetch({ ...request, url: url as PageUrl }),
    async close() {
      await fetcher.close();
      await Promise.all([site.close(), sentinel.close()]);
    },
  };
}
