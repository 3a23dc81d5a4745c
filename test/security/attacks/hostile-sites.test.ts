// Sites that attack the crawler. Whatever they do, the server answers others, stays small, and the run ends with a problem.

import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createLibrary } from '../../support/library.ts';
import { startCountingServer } from '../../support/counting-server.ts';
import { docPage, startDocSite, status, type PageResponse } from '../../support/scripted-site.ts';
import { startVictim, type Victim } from './victim.ts';

vi.setConfig({ testTimeout: 300_000 });

let victim: Victim;
const closing: Array<{ close(): Promise<unknown> }> = [];
beforeAll(async () => {
  victim = await startVictim();
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});
afterAll(() => victim.close());

function retained<T extends { close(): Promise<unknown> }>(server: T): T {
  closing.push(server);
  return server;
}

test('pages in HTTP chunks of one byte (finding N4)', async () => {
  const chunks = '1\r\nx\r\n'.repeat(300_000);
  const tiny: PageResponse = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'transfer-encoding': 'chunked' }).flushHeaders();
    response.socket?.write(chunks);
    response.socket?.end('0\r\n\r\n');
  };
  const pages = Array.from({ length: 8 }, (_, nth) => `/page-${nth}`);
  const site = retained(
    await startDocSite({ '/': docPage('start', pages), ...Object.fromEntries(pages.map((path) => [path, tiny])) }),
  );
  const run = await victim.crawl(`${site.origin}/`);
  expect(run).toMatchObject({ state: 'partial', counts: { new: 1, failed: 8 } });
  expect(run.problems.map(({ message }) => message).join()).toContain('tiny-chunks');
});

/** Written as it is sent. */
function sendSitemap(response: Parameters<Extract<PageResponse, Function>>[1], urlOf: (nth: number) => string): void {
  response.setHeader('content-type', 'application/xml');
  response.write('<urlset>');
  for (let nth = 0; nth < 20_000; nth += 1000) {
    const locs = Array.from({ length: 1000 }, (_, one) => `<url><loc>${urlOf(nth + one)}</loc></url>`);
    response.write(locs.join(''));
  }
  response.end('</urlset>');
}

test('sitemaps with tens of thousands of URLs (finding N5)', async () => {
  const files = ['outside-1', 'outside-2', 'inside-1', 'inside-2'];
  const site = retained(
    await startDocSite(
      {
        '/': docPage('start'),
        '/robots.txt': (_, response) =>
          response.end(files.map((file) => `Sitemap: ${site.origin}/${file}.xml\n`).join('')),
        ...Object.fromEntries(
          files.map((file): [string, PageResponse] => [
            `/${file}.xml`,
            (_, response) =>
              sendSitemap(response, (nth) =>
                file.startsWith('in') ? `${site.origin}/${file}/${nth}` : `https://remote.example/${file}/${nth}`,
              ),
          ]),
        ),
        '/llms.txt': status(404),
      },
      (request, response) => {
        if (request.url?.endsWith('.md')) return void response.writeHead(404).end();
        response.setHeader('content-type', 'text/html');
        response.end(docPage(request.url ?? ''));
      },
    ),
  );
  const run = await victim.crawl(`${site.origin}/`, { maxPages: 20 });
  expect(run).toMatchObject({ counts: { new: 20 } });
  expect(run.counts['found']! + run.counts['excluded']!).toBeLessThan(15_000);
  expect(run.problems.map(({ kind }) => kind)).toContain('sitemap-unread');
  expect(site.requests.map(({ url }) => url)).not.toContain('/inside-2.xml');
});

test('a robots.txt with 34,000 rules, and pages with 5,000 links (finding N7)', async () => {
  const rules = Array.from({ length: 34_000 }, (_, nth) => `disallow:/z*${nth}\n`).join('');
  const links = (page: string): string[] => Array.from({ length: 5000 }, (_, nth) => `/docs/d${nth}/from${page}`);
  const site = retained(
    await startDocSite(
      { '/robots.txt': `user-agent: *\n${rules}`, '/llms.txt': status(404), '/sitemap.xml': status(404) },
      (request, response) => {
        if (request.url?.endsWith('.md')) return void response.writeHead(404).end();
        response.setHeader('content-type', 'text/html');
        response.end(docPage(request.url ?? '', links(request.url ?? '')));
      },
    ),
  );
  const run = await victim.crawl(`${site.origin}/`, { maxPages: 3 });
  expect(run).toMatchObject({ counts: { new: 3 } });
  expect(run.problems.map(({ kind }) => kind)).toContain('robots-simplified');
  await victim.during(() => victim.call('POST', '/plan', { url: `${site.origin}/`, maxPages: 3 }));
});

test('sitemaps and redirects that lead to another host (finding N12)', async () => {
  const other = retained(
    await startCountingServer((request, response) => {
      response.end(request.url === '/robots.txt' ? 'user-agent: *\ndisallow: /\n' : '# Secret\n\n- [A](/a): x\n');
    }, '127.0.0.2'),
  );
  const remote = `http://127.0.0.2:${other.port}`;
  const site = retained(
    await startDocSite({
      '/': docPage('start'),
      '/robots.txt': Array.from({ length: 30 }, (_, nth) => `Sitemap: ${remote}/private/act?n=${nth}\n`).join(''),
      '/llms.txt': (_, response) => void response.writeHead(302, { location: `${remote}/llms.txt` }).end(),
    }),
  );
  const run = await victim.crawl(`${site.origin}/`);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 1 } });
  expect(new Set(other.requests.map(({ url }) => url))).toEqual(new Set(['/robots.txt']));
  expect(run.problems.map(({ kind }) => kind)).toContain('sitemap-unread');
});

test('a name that only the proxy could resolve, where the operator forbids it (finding N13)', async () => {
  const heard: string[] = [];
  const proxy = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end(docPage('from inside'));
  });
  proxy.on('connect', (request, socket: Socket) => {
    heard.push(request.url ?? '');
    socket.end('HTTP/1.1 200 Connected\r\n\r\n');
  });
  await listen(proxy);
  retained({
    async close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  });
  const before = process.env['HTTP_PROXY'];
  process.env['HTTP_PROXY'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const library = await createLibrary('sqlite', { PINAKES_FETCH_PROXY_TARGET: 'resolved' });
  try {
    const added = await library.run('add', 'http://vault.corp.example/', '--name', 'vault', '--wait');
    expect(added.code).not.toBe(0);
    const { problems }: { problems: readonly unknown[] } = await library.json('problems', 'vault');
    expect(problems).not.toEqual([]);
    expect(heard).toEqual([]);
  } finally {
    await library.remove();
    if (before === undefined) delete process.env['HTTP_PROXY'];
    else process.env['HTTP_PROXY'] = before;
  }
});

async function listen(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
}
