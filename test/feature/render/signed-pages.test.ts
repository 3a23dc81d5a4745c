// [F10] The requests of a rendered page to its own site are signed, each with its own signature; those to other sites are not.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSignRequest } from '../../../src/fetch/http/sign-request.ts';
import { generateSigningKeys } from '../../../src/platform/signing-keys.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { openVerifyingSite, type VerifyingSite } from '../../support/signature-verifier.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createTestRenderer, type TestRenderer } from './test-renderer.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const LOREM = 'A page has to have some text before it counts as ready, at least about a line of it. ';
const FORGED = `{ headers: { Signature: 'sig1=:AAAA:', 'Signature-Input': 'sig1=()', 'Signature-Agent': 'x' } }`;

let folder: string;
let site: VerifyingSite;
let other: CountingServer;
let renderer: TestRenderer;

beforeAll(async () => {
  folder = temporaryDirectory();
  const signingKeys = join(folder, 'keys.json');
  const keys = generateSigningKeys(signingKeys, Date.now());
  other = await startCountingServer((_, response) => {
    for (const name of ['origin', 'methods', 'headers']) response.setHeader(`access-control-allow-${name}`, '*');
    response.setHeader('content-type', 'text/plain').end('from elsewhere');
  });
  site = await openVerifyingSite(
    new Map(keys.map(({ keyId, x }) => [keyId, { kty: 'OKP', crv: 'Ed25519', x }])),
    (path) => {
      if (path === '/data') return { headers: { 'content-type': 'text/plain' }, body: 'from here' };
      if (path === '/moved') return { status: 302, headers: { location: '/data' } };
      const otherUrl = `http://127.0.0.1:${other.port}`;
      return {
        body: `<main id=app>${LOREM}</main><script>
        const show = (url, init) => fetch(url, init).then((response) => response.text()).then((text) => { app.append(' ' + text) });
        show('/data'); show('/moved'); show('/data?forged', ${FORGED}); show('${otherUrl}/plain'); show('${otherUrl}/forged', ${FORGED});
      </script>`,
      };
    },
  );
  renderer = createTestRenderer({
    sign: createSignRequest({ signingKeys, signatureAgent: 'https://crawler.example' }, Date.now),
    limits: { timeoutMs: 50_000, readyTimeoutMs: 20_000 },
  });
});
afterAll(async () => {
  await renderer.close();
  await site.close();
  await other.close();
  rmSync(folder, { recursive: true });
});

test('a site that verifies signatures lets in the document and what its scripts request', async () => {
  const outcome = await renderer.render({ url: `${site.url}/` as never, source: 'one' });
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: 'rendered', status: 200 });
  expect(outcome).toMatchObject({ html: expect.stringContaining('from here') });
  expect(site.seen.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/data', '/moved', '/data?forged']));
  expect(site.seen.filter(({ rejected }) => rejected !== null)).toEqual([]);
  const sent = other.requests.flatMap(({ headers }) => Object.keys(headers));
  expect(other.requests.length).toBeGreaterThan(0);
  expect(sent.filter((name) => name.startsWith('signature'))).toEqual([]);
});
