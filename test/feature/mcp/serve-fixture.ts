// The conformance fixture behind our own HTTP server, without a library.

import { createLog } from '../../../src/platform/log.ts';
import { NO_METRICS } from '../../../src/platform/metrics.ts';
import { listen, type HttpServer } from '../../../src/serve/http/listen.ts';
import { createConformanceEndpoint } from './conformance-fixture.ts';

const noLibrary = () => Promise.reject(new Error('there is no library'));

export async function serveFixture(): Promise<HttpServer> {
  const endpoint = createConformanceEndpoint();
  return listen({
    settings: {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      allowedOrigins: [],
      requestsPerMinute: 100_000,
      maxRequestsInFlight: 1000,
      connectionsPerAddress: 256,
    },
    version: '0.0.0',
    call: noLibrary,
    feed: {
      eventsAfter: async () => [],
      lastSeq: async () => 0,
      liveRuns: async () => [],
      endedRuns: async () => [],
      run: async () => null,
      sourcesOf: async () => new Map(),
    },
    docsFor: () => ({ libraryIndex: noLibrary, sourceIndex: noLibrary, fullText: noLibrary, page: noLibrary }),
    tokens: {
      isAny: async () => false,
      byHashes: async () => [],
      byName: async () => null,
      touch: async () => undefined,
    },
    issuer: null,
    keyDirectory: null,
    monitoring: {
      metrics: NO_METRICS,
      samples: async () => [],
      readiness: async () => null,
      crawlHealth: async () => ({ running: 0, paused: 0, queueSize: 0, lastProgressAt: null }),
    },
    audit: { settings: { reads: false, queries: false }, record: async () => undefined },
    mcp: endpoint.fetch,
    log: createLog({ level: 'silent', now: () => new Date() }),
    now: Date.now,
  });
}
