// A signing key is planted; then everything that the program wrote or returned is searched for it.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifySignature, webcrypto } from 'http-message-sig';
import { createLibrary, ENGINES } from '../../support/library.ts';
import { run, start } from '../../support/program.ts';
import { openVerifyingSite, type PublicJwk } from '../../support/signature-verifier.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const AGENT = 'https://crawler.example';
const DIRECTORY = '/.well-known/http-message-signatures-directory';

interface KeyFile {
  readonly keys: ReadonlyArray<PublicJwk & { readonly d: string }>;
}

async function verifyDirectory(response: Response, body: string): Promise<void> {
  const { keys } = JSON.parse(body) as { readonly keys: ReadonlyArray<PublicJwk & { readonly kid: string }> };
  const fields = [...response.headers].map(([name, value]) => ({ name, value }));
  const request = { kind: 'request', method: 'GET', targetUri: AGENT + DIRECTORY, fields: [] } as const;
  for (const [nth, { kid, kty, crv, x }] of keys.entries()) {
    const { parameters } = await verifySignature(
      { kind: 'response', status: 200, fields, request },
      {
        label: `binding${nth}`,
        policy: {
          algorithms: ['ed25519'],
          requiredComponents: [{ name: '@authority', parameters: { req: true } }, 'content-digest'],
          requiredParameters: ['created', 'expires', 'keyid', 'tag'],
        },
        resolveVerifier: async () =>
          webcrypto.verifier(
            await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, true, ['verify']),
          ),
      },
    );
    expect(parameters).toMatchObject({ keyid: kid, tag: 'http-message-signatures-directory' });
  }
}

for (const engine of ENGINES)
  test(`${engine}: no signing key is in logs, answers, exports, backups or errors`, { timeout: 180_000 }, async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'keys.json');
    const written: string[] = [];
    const keep = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void => {
      written.push(stdout, stderr);
    };
    const library = await createLibrary(engine);
    keep(await run(library.settings, ['signing-keys', 'generate', file]));
    keep(await run(library.settings, ['signing-keys', 'rotate', file, '--overlap', '1', '--json']));
    const { keys } = JSON.parse(readFileSync(file, 'utf8')) as KeyFile;
    expect(keys).toHaveLength(2);
    const published = new Map<string, PublicJwk>();
    const site = await openVerifyingSite(published, (path) => ({
      body: `<html><body><main><h1>Page</h1><p>Text about the handbook of ${path}.</p><a href="/docs/b">b</a>`,
    }));
    const settings = {
      ...library.settings,
      PINAKES_FETCH_SIGNING_KEYS: file,
      PINAKES_FETCH_SIGNATURE_AGENT: AGENT,
      PINAKES_LOG_LEVEL: 'debug',
      PINAKES_SERVE_PORT: '0',
    } as const;
    const log: string[] = [];
    const server = start(settings, ['serve'], (text) => log.push(text));
    await waitUntil('the server reports its URL', () => log.join('').includes('listening on'));
    const at = /http:\/\/[^\s]+/.exec(log.join(''))?.[0] ?? '';
    const response = await fetch(at + DIRECTORY);
    const body = await response.text();
    expect(response.headers.get('content-type')).toBe('application/http-message-signatures-directory+json');
    await verifyDirectory(response, body);
    for (const key of (JSON.parse(body) as { keys: Array<PublicJwk & { kid: string }> }).keys)
      published.set(key.kid, key);
    written.push(body, JSON.stringify([...response.headers]));
    const added = await fetch(`${at}/api/sources`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/docs/`, name: 'handbook' }),
    });
    expect(added.status).toBe(201);
    await waitUntil('the site is crawled', async () => {
      const status = await (await fetch(`${at}/api/runs/handbook`)).text();
      return /"state":"(completed|partial|failed)"/.test(status);
    });
    expect(site.seen.length).toBeGreaterThan(1);
    expect(site.seen.filter(({ rejected }) => rejected !== null)).toEqual([]);
    const paths = ['sources', 'runs', 'runs/handbook', 'events?limit=1000', 'definitions', 'settings', 'openapi.json'];
    for (const path of paths) written.push(await (await fetch(`${at}/api/${path}`)).text());
    written.push(await (await fetch(`${at}/metrics`)).text());
    server.kill('SIGTERM');
    keep(await server.ended);
    const out = (name: string): string => join(folder, name);
    const commands = [
      ['config', 'print'],
      ['doctor'],
      ['status', 'handbook'],
      ['sources', 'export'],
      ['export', 'handbook', '--out', out('bundle.zip')],
      ...(engine === 'sqlite' ? [['backup', out('backup.db')]] : []),
      ['signing-keys', 'generate', file],
    ];
    for (const args of commands) keep(await run(settings, args));
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30));
    for (const args of [['signing-keys', 'rotate', file], ['serve'], ['preview', `${site.url}/docs/`]])
      keep(await run({ ...settings, PINAKES_LOG_LEVEL: 'debug' }, args));
    const tables = await Promise.all(
      ['events', 'problems', 'runs', 'sources', 'hosts'].map((name) => library.sql(`select * from ${name}`)),
    );
    written.push(JSON.stringify(tables));
    const everything = written.join('\n');
    expect(everything).toContain('handbook');
    expect(everything).toContain('cannot be used');
    const files = readdirSync(folder).filter((name) => name !== 'keys.json');
    expect(files.length).toBeGreaterThan(0);
    const stored = files.map((name) => readFileSync(join(folder, name)).toString('latin1')).join('\n');
    for (const { d } of keys) {
      const raw = Buffer.from(d, 'base64url');
      for (const spelling of [d, raw.toString('hex'), raw.toString('base64'), raw.toString('latin1'), d.slice(0, 20)]) {
        expect(everything.includes(spelling)).toBe(false);
        expect(stored.includes(spelling)).toBe(false);
      }
    }
    await site.close();
    await library.remove();
    rmSync(folder, { recursive: true });
  });
