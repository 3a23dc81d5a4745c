// A plan of a site whose robots.txt has as many rules as fit, while others search.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { bearer, expectServedDuring, startAttackedServer, type AttackedServer } from './attacked-server.ts';

const RULES = 30_000;
const LINKS = 500;

let server: AttackedServer;
let site: CountingServer;

beforeAll(async () => {
  const rules = Array.from({ length: RULES }, (_, n) => `Disallow: /${n}*a`).join('\n');
  const links = Array.from({ length: LINKS }, (_, n) => `<a href="/docs/${'x'.repeat(40)}${n}">page ${n}</a>`).join(
    '\n',
  );
  site = await startCountingServer((request, response) => {
    if (request.url === '/robots.txt') response.end(`User-agent: *\n${rules}\n`);
    else if (request.url === '/docs/')
      response.setHeader('content-type', 'text/html').end(`<main><h1>Docs</h1><p>Many.</p>${links}</main>`);
    else response.writeHead(404).end();
  });
  server = await startAttackedServer();
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

test('a plan of a hostile site does not hold up searches (finding N7)', async () => {
  await expectServedDuring(server, async () => {
    const response = await fetch(`${server.url}/api/plan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(server.adminToken) },
      body: JSON.stringify({ url: `http://127.0.0.1:${site.port}/docs/`, preset: 'basic' }),
    });
    expect(response.status).toBe(200);
  });
});
