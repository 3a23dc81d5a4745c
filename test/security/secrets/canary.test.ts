// Secrets are planted wherever a user may put one; then everything the program wrote or returned is searched for them.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openStream } from '../../support/read-stream.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createLibrary, ENGINES } from '../../support/library.ts';
import { run, start, type Settings } from '../../support/program.ts';
import { waitUntil } from '../../support/wait-until.ts';

const canary = (): string => `cnry${randomBytes(12).toString('hex')}`;

/** As written, and in its usual encodings. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    ...(['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding).replace(/=+$/, '')),
  ];
}

interface Planted {
  readonly header: string;
  readonly login: string;
  readonly query: string;
  readonly database: string;
  readonly token: string;
}

/** A site that requires the header, and whose pages contain links with other secrets. */
async function openPrivateSite({ header, login, query }: Planted) {
  let refused = 0;
  const server = createServer((request, response) => {
    const isLetIn = request.headers.authorization === `Bearer ${header}`;
    if (!isLetIn) refused += 1;
    const links = `<a href="http://user:${login}@127.0.0.1:9/x">a</a> <a href="/docs/b?token=${query}">b</a> <a href="/docs/broken">c</a>`;
    const page = `<html><body><main><h1>Page</h1><p>Text about the handbook of ${request.url?.split('?')[0]}.</p>${links}</main></body></html>`;
    if (request.url?.startsWith('/docs/broken') === true) response.destroy();
    else if (request.url?.startsWith('/docs/') !== true) response.writeHead(404).end();
    else
      response
        .writeHead(isLetIn ? 200 : 401, { 'content-type': 'text/html' })
        .end(isLetIn ? page : `denied ${request.headers.authorization ?? ''}`);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const engine of ENGINES) {
  test(
    `[Z3] ${engine}: no planted secret is in logs, events, errors, answers or exports`,
    { timeout: 120_000 },
    async () => {
      const planted = { header: canary(), login: canary(), query: canary(), database: canary(), token: canary() };
      const site = await openPrivateSite(planted);
      const library = await createLibrary(engine);
      const url = library.settings['PINAKES_DATABASE_URL'];
      const settings = {
        ...library.settings,
        ...(url === undefined
          ? {}
          : { PINAKES_DATABASE_URL: url.replace('postgres@', `postgres:${planted.database}@`) }),
        PINAKES_FETCH_SECRETS: `CANARY_HEADER@${site.url}`,
        CANARY_HEADER: planted.header,
        PINAKES_TOKEN: planted.token,
        PINAKES_LOG_LEVEL: 'debug',
        PINAKES_CRAWL_RETRY_BASE_MS: '10',
        PINAKES_CRAWL_MAX_ATTEMPTS: '2',
        PINAKES_SERVE_PORT: '0',
      } as Settings;
      const written: string[] = [];
      const server = start(settings, ['serve'], (text) => written.push(text));
      await waitUntil('the server reports its URL', () => written.join('').includes('listening on'));
      const at = /http:\/\/[^\s]+/.exec(written.join(''))?.[0] ?? '';
      const stream = await openStream(`${at}/events?after=0`);
      const added = await fetch(`${at}/api/sources`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          url: `${site.url}/docs/`,
          name: 'handbook',
          headers: ['Authorization: Bearer {CANARY_HEADER}'],
        }),
      });
      expect(added.status).toBe(201);
      await stream.until(({ event }) => event === 'done');
      stream.close();
      written.push(JSON.stringify(stream.frames));
      for (const path of [
        '/api/sources',
        '/api/runs',
        '/api/runs/handbook',
        '/api/runs/handbook/problems',
        '/api/events?limit=1000',
        '/api/definitions',
        '/api/search?query=handbook',
        '/api/openapi.json',
        '/metrics',
      ])
        written.push(await (await fetch(at + path)).text());
      server.kill('SIGTERM');
      const ended = await server.ended;
      written.push(ended.stdout, ended.stderr);
      const folder = temporaryDirectory();
      for (const args of [
        ['config', 'print'],
        ['doctor'],
        ['status', 'handbook'],
        ['sources', 'export'],
        ['export', 'handbook', '--out', join(folder, 'x.zip')],
      ]) {
        const { stdout, stderr } = await run(settings, args);
        written.push(stdout, stderr);
      }
      for (const table of ['events', 'problems', 'runs', 'sources', 'hosts'])
        written.push(JSON.stringify(await library.sql(`select * from ${table}`)));
      const nowhere = await run(
        { ...settings, PINAKES_DATABASE_URL: `postgres://u:${planted.database}@127.0.0.1:1/x` },
        ['list'],
      );
      written.push(nowhere.stdout, nowhere.stderr);

      const everything = written.join('\n');
      expect(everything).toContain('handbook');
      expect(everything).toContain('/docs/broken');
      const secrets = {
        header: planted.header,
        login: planted.login,
        database: planted.database,
        token: planted.token,
      };
      for (const [name, secret] of Object.entries(secrets))
        for (const encoding of encodingsOf(secret)) {
          const location = everything.indexOf(encoding);
          expect(location === -1 ? '' : everything.slice(Math.max(0, location - 200), location + 40), name).toBe('');
        }
      const logs = ended.stderr;
      expect(logs).not.toContain(planted.query);
      site.close();
      await library.remove();
      rmSync(folder, { recursive: true });
    },
  );
}
