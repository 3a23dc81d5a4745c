// The check of `doctor`: whether pages can be rendered as a crawl would, and what guards the browser.

import type { PinakesError } from '../core/model/errors.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import { redactText } from '../platform/redact.ts';
import { openRendering, type RenderingContext } from './rendering.ts';

const NAME = 'rendering';

export async function checkRendering(context: RenderingContext): Promise<CheckResult> {
  const { browser, endpoint, crawl4ai } = context.config.render;
  try {
    if (browser !== undefined) return await checkBrowser(browser, context);
    if (endpoint !== undefined) return await checkEndpoint(endpoint, context);
    if (crawl4ai !== undefined) return await checkCrawl4Ai(crawl4ai, context);
  } catch (error) {
    const { message, why } = { message: String(error), why: (error as PinakesError).details?.['reason'] };
    const hint =
      browser === undefined
        ? 'Check that the browser is running, and its address in the configuration'
        : 'Install Chromium and playwright-core: apt-get install chromium, npm install playwright-core@1.65.0';
    return { name: NAME, state: 'failed', detail: String(why ?? message), hint };
  }
  const hint = 'For pages that are empty without one, set PINAKES_RENDER_BROWSER=chromium';
  return { name: NAME, state: 'missing', detail: 'no browser is configured', hint };
}

const modeOf = ({ config }: RenderingContext): string => `render.mode ${config.render.mode ?? 'auto'}`;

/** Nothing listens there: the check opens no page. */
const NO_PROXY = { host: '127.0.0.1', port: 9 };

/** Starts the browser once. */
async function checkBrowser(executable: string, context: RenderingContext): Promise<CheckResult> {
  const { launchBrowser, UNSANDBOXED } = await import('../render/launch-browser.ts');
  const { sandbox } = context.config.render;
  const browser = await launchBrowser({ executable, proxy: NO_PROXY, sandbox, log: context.log });
  const { name, isSandboxed } = browser;
  await browser.kill();
  const detail = `${name}, ${modeOf(context)}${isSandboxed === false ? '; without its sandbox' : ''}`;
  const hint = isSandboxed === false ? `${UNSANDBOXED}: a page that breaks out of it has the rights of Pinakes` : null;
  return { name: NAME, state: 'ok', detail, hint };
}

/** No such host exists: the proxy refuses it, if the browser asks the proxy at all. */
const CHECK_URL = 'http://check.invalid/';

/** Connects to the browser, and opens a page in it that has to arrive at our proxy. */
async function checkEndpoint(endpoint: string, context: RenderingContext): Promise<CheckResult> {
  const { connectBrowser } = await import('../render/connect-browser.ts');
  const browser = await connectBrowser({ endpoint, proxy: null });
  const { name } = browser;
  await browser.kill();
  const detail = `${name} at ${redactText(endpoint)}, ${modeOf(context)}`;
  if (context.config.render.guard === 'external') {
    const hint =
      'render.guard is external: what pages request in this browser does not pass the address guard of Pinakes';
    return { name: NAME, state: 'ok', detail: `${detail}; not guarded by Pinakes`, hint };
  }
  let isReached = false;
  const dial = (): Promise<never> => {
    isReached = true;
    return Promise.reject(new Error('a check'));
  };
  const rendering = openRendering({ ...context, dial });
  const outcome = await rendering?.renderer.render({ url: CHECK_URL as never, source: NAME });
  await rendering?.renderer.close();
  if (isReached) return { name: NAME, state: 'ok', detail: `${detail}, behind the address guard`, hint: null };
  const why = outcome?.kind === 'failed' ? `: ${outcome.reason}` : '';
  const hint = 'render.proxyListen has to be an address of this machine that the browser can connect to';
  return { name: NAME, state: 'failed', detail: `${name} does not reach the proxy${why}`, hint };
}

async function checkCrawl4Ai(server: string, context: RenderingContext): Promise<CheckResult> {
  const { createCrawl4AiClient } = await import('../render/crawl4ai/crawl4ai-client.ts');
  const { createHttpFetcher } = await import('../fetch/http/http-fetcher.ts');
  const { createJsonClient, guardSettingsFor } = await import('../fetch/http/json-request.ts');
  const { userAgent } = context.config.fetch;
  const fetcher = createHttpFetcher({ userAgent, ...guardSettingsFor(server) });
  try {
    const client = createCrawl4AiClient({ endpoint: server, sendJson: createJsonClient(fetcher) });
    if (!(await client.isHealthy())) throw new Error(`the Crawl4AI server ${client.endpoint} does not respond`);
    const detail = `Crawl4AI at ${client.endpoint}, ${modeOf(context)}; not guarded by Pinakes`;
    const hint = 'Of a page, only its own address passes the address guard; what the server then requests does not';
    return { name: NAME, state: 'ok', detail, hint };
  } finally {
    await fetcher.close();
  }
}
