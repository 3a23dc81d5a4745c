// A fetcher for the cases of the guard: names come from a table, sockets go to one site on loopback, and what was dialled
// is kept.

import { createHttpFetcher, type HttpFetcherOptions } from '../../src/fetch/http/http-fetcher.ts';
import type { FetchOutcome, Fetcher, FetchRequest } from '../../src/fetch/port.ts';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import { countingServer, type CountingServer } from '../support/counting-server.ts';
import { recordingDial, type Dialled } from '../support/recording-dial.ts';
import type { RequestListener } from 'node:http';

export interface GuardedFetch {
  readonly fetcher: Fetcher;
  readonly site: CountingServer;
  /** Must never be asked. */
  readonly sentinel: CountingServer;
  readonly dialled: readonly Dialled[];
  /** Names that DNS was asked for. */
  readonly resolved: readonly string[];
  ask(url: string, request?: Partial<FetchRequest>): Promise<FetchOutcome>;
  close(): Promise<void>;
}

export interface GuardedFetchOptions extends Partial<HttpFetcherOptions> {
  readonly answer?: RequestListener;
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

export const PUBLIC = '93.184.215.14';

export async function guardedFetch(options: GuardedFetchOptions = {}): Promise<GuardedFetch> {
  const site = await countingServer(options.answer ?? ((_, response) => response.end('public')));
  const sentinel = await countingServer((_, response) => response.end('secret'));
  const { dial, dialled } = recordingDial(site.port, (_, port) => port === sentinel.port);
  const resolved: string[] = [];
  const fetcher = createHttpFetcher({
    userAgent: 'pinakes-test',
    allowCidrs: [],
    dial,
    async resolve(name) {
      resolved.push(name);
      const answers = options.names?.[name];
      if (answers === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
      return answers;
    },
    ...options,
  });
  return {
    fetcher,
    site,
    sentinel,
    dialled,
    resolved,
    // The cases hold raw texts, which a caller would have refused before: the fetcher must stand alone.
    ask: (url, request) => fetcher.fetch({ ...request, url: url as PageUrl }),
    async close() {
      await fetcher.close();
      await Promise.all([site.close(), sentinel.close()]);
    },
  };
}
