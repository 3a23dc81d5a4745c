// The sinks of test/data/cases/ssrf-urls.json: every place from which a program can be made to connect. One rule covers them
// all: nothing in src opens a connection except src/fetch, and there everything goes through one factory; and the client of
// the search engine, whose nodes only the operator names, as it names the database.

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FetchRequest } from '../../../src/fetch/port.ts';
import { guardedFetch } from '../../support/guarded-fetch.ts';
import { readCases } from '../../support/read-cases.ts';

interface SinkCase {
  readonly id: string;
  readonly sink: string;
}

type Sink =
  /** Goes through the fetcher: shown by the request that it makes. */
  | { readonly kind: 'fetched'; readonly path: string; readonly request?: Partial<FetchRequest> }
  /** Does not exist, or never connects: the rule about sockets enforces it. */
  | { readonly kind: 'no-connection'; readonly reason: string };

const SINKS: Readonly<Record<string, Sink>> = {
  'sink-01': { kind: 'fetched', path: '/' },
  'sink-02': { kind: 'fetched', path: '/guide' },
  'sink-03': { kind: 'fetched', path: '/moved' },
  'sink-04': { kind: 'fetched', path: '/robots.txt', request: { accept: 'text/plain', cutAtBytes: 512_000 } },
  'sink-05': { kind: 'fetched', path: '/sitemap.xml', request: { accept: 'application/xml' } },
  'sink-06': { kind: 'fetched', path: '/llms-full.txt', request: { accept: 'text/plain' } },
  'sink-07': { kind: 'fetched', path: '/guide.md', request: { accept: 'text/markdown' } },
  'sink-08': { kind: 'no-connection', reason: 'a proxy comes from the environment; a request has no field for it' },
  'sink-09': { kind: 'no-connection', reason: 'there are no webhooks' },
  'sink-10': { kind: 'fetched', path: '/v1/embeddings', request: { accept: 'application/json' } },
  'sink-11': { kind: 'no-connection', reason: 'the browser connects to the proxy only: test/feature/render' },
  'sink-12': { kind: 'no-connection', reason: 'the browser connects to the proxy only: test/feature/render' },
  'sink-13': { kind: 'no-connection', reason: 'icons and preview images are never fetched' },
  'sink-14': { kind: 'no-connection', reason: 'there are no such sources, and no other program is started' },
  'sink-15': { kind: 'no-connection', reason: 'core resolves references inside one document and has no network' },
  'sink-16': { kind: 'no-connection', reason: 'there is no OAuth' },
  'sink-17': { kind: 'no-connection', reason: 'there is no OAuth' },
  'sink-18': { kind: 'no-connection', reason: 'archives are read from disk; no URL is taken' },
};

const { sinks } = readCases('ssrf-urls') as { sinks: SinkCase[] };
const ROOT = new URL('../../../', import.meta.url).pathname;
const sources = globSync('{src,web}/**/*.{ts,tsx}', { cwd: ROOT, exclude: (name) => name.endsWith('.test.ts') });

/** Imports and globals that can open a connection, and where they are allowed. */
const OPENERS: ReadonlyArray<readonly [what: RegExp, where: RegExp]> = [
  [/from 'undici'/, /^src\/fetch\//],
  // The browser has no way to the network but the proxy of src/fetch.
  [/from 'playwright-core'|import\('playwright-core'\)/, /^src\/render\//],
  [/from '(node:)?(http2|tls|dgram)'/, /^src\/(fetch|serve)\//],
  [/from '(node:)?https'/, /^src\/((fetch|serve)\/|index\/qdrant\/nodes?[.]ts)/],
  [/import (?!\{ isIP \}).*from '(node:)?(http|net)'/, /^src\/((fetch|serve)\/|index\/qdrant\/nodes?[.]ts)/],
  // A page of the dashboard calls its own origin, as the script in the pages of lists does; a remote library and doctor call
  // the server that their user names.
  [
    /(?<![.\w]|async )(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\(/,
    /^(src\/fetch\/port\.ts|src\/client\/connect\.ts|src\/compose\/check-server\.ts|src\/serve\/http\/ssr\/html\.ts|web\/)/,
  ],
];

/** Inside src/fetch, who creates a client. */
const CLIENT = /\bnew (Agent|ProxyAgent|Pool|Client|EnvHttpProxyAgent|RetryAgent|BalancedPool)\(|\bbuildConnector\(/;

/** All ask the address guard before they connect. */
const CLIENT_FILES = new Set([
  'src/fetch/http/guarded-dispatcher.ts',
  'src/fetch/http/proxied-dispatch.ts',
  'src/fetch/http/forward-proxy.ts',
]);

function offenders(): string[] {
  return sources.flatMap((file) => {
    const text = readFileSync(ROOT + file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
    const outside = OPENERS.filter(([what, where]) => what.test(text) && !where.test(file)).map(
      ([what]) => what.source,
    );
    const isMethod = file === 'src/fetch/http/http-fetcher.ts' || file === 'src/fetch/port.ts';
    const found = isMethod ? outside.filter((what) => !what.includes('XMLHttpRequest')) : outside;
    const createsClient = CLIENT.test(text) && !CLIENT_FILES.has(file);
    return [...found.map((what) => `${file}: ${what}`), ...(createsClient ? [`${file}: creates a client`] : [])];
  });
}

describe('a sink', () => {
  const outside = offenders();

  test.each(sinks.map((one) => [one.id, one.sink] as const))('%s: %s', async (id) => {
    const sink = SINKS[id];
    expect(sink, 'every sink has its entry').toBeDefined();
    expect(outside).toEqual([]);
    if (sink?.kind !== 'fetched') return;
    const guarded = await guardedFetch();
    for (const host of ['10.0.0.5', 'localhost', 'metadata.google.internal']) {
      const outcome = await guarded.send(`http://${host}${sink.path}`, sink.request);
      expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address' });
    }
    expect(guarded.dialled).toEqual([]);
    await guarded.close();
  });

  test('the rule matches existing files', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources).toContain('src/fetch/http/guarded-dispatcher.ts');
  });

  test('a proxy named in a request is not used', async () => {
    const guarded = await guardedFetch();
    const outcome = await guarded.send('http://10.0.0.5/', { proxy: 'http://127.0.0.1:1' } as object);
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'private' });
    await guarded.close();
  });
});
