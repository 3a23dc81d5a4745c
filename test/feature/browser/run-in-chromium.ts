// Opens a page in a real Chromium. The page has a strict policy: scripts from its own server, WebAssembly, no eval, and no
// connections. Its inputs arrive as a script, and its outputs are read from its text.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { bundle } from '../../support/bundle.ts';
import { HEADLESS } from '../../support/dashboard-server.ts';
import type { EngineInputs } from './engine-inputs.ts';
import type { PageReport } from './page-entry.ts';

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'";
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface ChromiumReport extends PageReport {
  readonly version: string;
  /** Paths that the page requested from its server. */
  readonly requests: readonly string[];
}

export async function runInChromium(inputs: EngineInputs): Promise<ChromiumReport> {
  const { code } = await bundle('test/feature/browser/page-entry.ts');
  const requests: string[] = [];
  const server = await serve(
    {
      '/': ['text/html', PAGE],
      '/inputs.js': ['text/javascript', `globalThis.engineInputs = ${JSON.stringify(inputs)};`],
      '/core.js': ['text/javascript', code],
    },
    requests,
  );
  const browser = await chromium.launch({ executablePath: HEADLESS, args: FLAGS, timeout: 240_000 });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { timeout: 240_000 });
    const text = await page.locator('#report').textContent({ timeout: 240_000 });
    return { ...(JSON.parse(text ?? '') as PageReport), version: browser.version(), requests };
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

const PAGE = `<!doctype html>
<meta charset="utf-8"><title>core</title><link rel="icon" href="data:,">
<script src="/inputs.js"></script>
<script type="module" src="/core.js"></script>
`;

type Responses = Readonly<Record<string, readonly [mediaType: string, body: string]>>;

async function serve(responses: Responses, requests: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const content = responses[request.url ?? ''];
    response.setHeader('content-security-policy', POLICY);
    if (content === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', `${content[0]}; charset=utf-8`).end(content[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
