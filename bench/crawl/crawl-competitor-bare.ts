// node bench/crawl/crawl-competitor-bare.ts START LIMIT: a crawl with nothing but undici and htmlparser2. Fetches, parses and follows
// links of the same host, and stores nothing. Prints how many pages it fetched.

import { Parser } from 'htmlparser2';
import { Agent, request } from 'undici';
import { gunzipSync } from 'node:zlib';

const CONCURRENCY = 16;
const [start = '', limit = '1000000'] = process.argv.slice(2);
const { origin } = new URL(start);
const agent = new Agent({ connections: CONCURRENCY });
const seen = new Set([start]);
const queue = [start];
let pages = 0;

async function read(url: string): Promise<void> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    headers: { 'accept-encoding': 'gzip' },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode >= 300 && statusCode < 400) follow(String(headers['location']), url);
  if (statusCode !== 200 || !String(headers['content-type']).startsWith('text/html')) return;
  pages += 1;
  const html = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'a' && attributes['href'] !== undefined) follow(attributes['href'], url);
    },
  });
  parser.end(html);
}

function follow(href: string, page: string): void {
  const url = URL.parse(href, page);
  if (url === null || url.origin !== origin) return;
  url.hash = '';
  if (seen.has(url.href)) return;
  seen.add(url.href);
  queue.push(url.href);
}

async function work(): Promise<void> {
  while (pages < Number(limit)) {
    const next = queue.shift();
    if (next !== undefined) await track(read(next));
    else if (inFlight === 0) return;
    else await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let inFlight = 0;
async function track(reading: Promise<void>): Promise<void> {
  inFlight += 1;
  await reading.finally(() => (inFlight -= 1));
}

await Promise.all(Array.from({ length: CONCURRENCY }, work));
await agent.close();
console.log(JSON.stringify({ pages }));
