// A real Prometheus scrapes a server that crawls and answers, for PROMETHEUS_SECONDS (600 by default), and no alert fires; then each alert
// fires on its own fault. Minutes of the rules last seconds here.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { start, type Settings } from '../support/program.ts';
import { readProject } from '../support/project-files.ts';
import { startDocSite, docPage, type DocSite, type PageResponse } from '../support/scripted-site.ts';
import { hasPrometheus, scaleRules, startPrometheus, type PrometheusServer } from '../support/prometheus-server.ts';
import { createSiteServer } from '../support/generated-site.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { writeResult } from '../support/write-result.ts';
import { needing } from '../support/needs.ts';

const SECONDS = Number(process.env['PROMETHEUS_SECONDS'] ?? 600);
/** A stuck run is one that settles nothing for 45 s, a lag one of 15 s. */
const FASTER = 20;
const RULES = scaleRules(readProject('packaging/prometheus/alerts.yaml'), FASTER);
const results: Record<string, unknown> = { seconds: SECONDS, faster: FASTER };

const NEEDED = needing('prometheus on the PATH (Debian package), or named by PROMETHEUS', hasPrometheus);

interface Scraped {
  readonly prometheus: PrometheusServer;
  readonly url: string;
  readonly post: (path: string, body: object) => Promise<Response>;
}

async function withServer(settings: Settings, check: (scraped: Scraped) => Promise<void>): Promise<void> {
  let said = '';
  const own: Settings = {
    PINAKES_DATA_DIR: temporaryDirectory(),
    PINAKES_SERVE_PORT: '0',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_MIN_FREE_BYTES: '0',
    ...settings,
  };
  const server = start(own, ['serve'], (text) => (said += text));
  await waitUntil('the server listens', () => /listening on http\S+\n/.test(said));
  const url = /listening on (\S+)/.exec(said)?.[1] ?? '';
  const prometheus = await startPrometheus(url, RULES);
  const post = (path: string, body: object): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  try {
    await check({ prometheus, url, post });
  } finally {
    await prometheus.close();
    server.kill('SIGTERM');
    await server.ended;
  }
}

test(`no alert fires in ${SECONDS} s of crawls and searches`, NEEDED, async () => {
  const site = await createSiteServer({ size: 400 });
  await withServer({}, async ({ prometheus, url, post }) => {
    await post('/api/sources', { url: site.start, name: 'almanac' });
    const seen = new Set<string>();
    let searches = 0;
    for (const until = Date.now() + SECONDS * 1000; Date.now() < until;) {
      await post('/api/sources/almanac/recrawl', { mode: 'full' });
      for (let nth = 0; nth < 20; nth += 1) {
        const answer = await fetch(`${url}/api/search?query=page+${nth}`);
        expect(answer.status).toBe(200);
        await answer.arrayBuffer();
        searches += 1;
        await wait(50);
      }
      for (const name of await prometheus.firing()) seen.add(name);
    }
    expect([...seen]).toEqual([]);
    const whole = `[${SECONDS}s]`;
    const scraped = {
      searches,
      scrapes: await prometheus.value(`count_over_time(up${whole})`),
      failedScrapes: await prometheus.value(`count_over_time(up${whole}) - sum_over_time(up${whole})`),
      slowestScrapeSeconds: await prometheus.value(`max_over_time(scrape_duration_seconds${whole})`),
      samplesPerScrape: await prometheus.value('scrape_samples_scraped'),
      longestIndexLagSeconds: await prometheus.value(`max_over_time(pinakes_index_lag_seconds${whole})`),
      longestStallSeconds: await prometheus.value(`max_over_time(pinakes_run_stalled_seconds${whole})`),
    };
    Object.assign(results, scraped);
    // One a second, after the first seconds.
    expect(scraped.scrapes).toBeGreaterThan((SECONDS - 10) * 0.8);
    expect(scraped.failedScrapes).toBe(0);
    expect(await prometheus.value('pinakes_pages'), 'the crawl stored pages').toBeGreaterThan(100);
  });
  await site.close();
});

interface Fault {
  readonly alert: string;
  readonly settings: Settings;
  /** What a page of the site answers, after its robots.txt. */
  readonly answer: PageResponse;
}

const FAULTS: readonly Fault[] = [
  {
    alert: 'PinakesRunStuck',
    // A site that accepts requests and never answers, and an operator who waits for it.
    settings: { PINAKES_FETCH_HEADER_TIMEOUT_MS: '3600000', PINAKES_FETCH_TIMEOUT_MS: '3600000' },
    answer: () => undefined,
  },
  {
    alert: 'PinakesIndexLagging',
    // Pages are stored, and the search index is on a server that is not there.
    settings: { PINAKES_QDRANT_URLS: 'http://127.0.0.1:9' },
    answer: docPage('a page', ['/docs/next']),
  },
  {
    alert: 'PinakesHostSuspended',
    settings: { PINAKES_CRAWL_RETRY_BASE_MS: '200' },
    answer: (_, response) => void response.destroy(),
  },
];

/** Five failures suspend a host and twelve in a row abort the run, so that no alert would last. */
const LINKS = 8;

/** Discovery goes on as usual. */
function faultySite(answer: PageResponse): Promise<DocSite> {
  const links = Array.from({ length: LINKS }, (_, nth) => `/docs/${nth}`);
  return startDocSite({ '/docs/': docPage('start', links) }, (request, response) => {
    if (!request.url?.startsWith('/docs/') || request.url.endsWith('.txt')) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.setHeader('content-type', 'text/html').end(answer.replace('a page', request.url));
  });
}

for (const { alert, settings, answer } of FAULTS) {
  test(`${alert} fires on its fault, and no other alert`, NEEDED, async () => {
    const site = await faultySite(answer);
    await withServer(settings, async ({ prometheus, post }) => {
      const startedAt = Date.now();
      await post('/api/sources', { url: `${site.origin}/docs/`, name: 'faulty', preset: 'basic' });
      await waitUntil(`${alert} fires`, async () => (await prometheus.firing()).length > 0, 240_000);
      expect(await prometheus.firing()).toEqual([alert]);
      results[alert] = { firedAfterSeconds: Math.round((Date.now() - startedAt) / 1000) };
    });
    await site.close();
  });
}

afterAll(() => {
  if (hasPrometheus) writeResult('prometheus', results);
});
