// Settings of the render stage: which browser renders pages, what guards it, and its limits.

import { z } from 'zod';
import { parseListenAddress } from '../../core/model/setting-formats.ts';
import { RENDER_MODES } from '../../core/model/source-settings.ts';
import { count, lower, ms } from './setting-kinds.ts';

export const renderSettings = z.strictObject({
  mode: z
    .enum(RENDER_MODES)
    .optional()
    .describe('When pages are rendered in a browser, if their source does not say: auto, never or always')
    .meta({ defaultText: '`auto` with a browser, `never` without' }),
  browser: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Chromium that renders pages: its path, or its name in PATH such as chromium; without it none is rendered',
    ),
  sandbox: z
    .enum(['required', 'off'])
    .default('required')
    .describe(
      'Whether render.browser needs its sandbox: required, or off, which lets pages attack Pinakes through the browser',
    ),
  endpoint: z
    .url({ protocol: /^(?:https?|wss?)$/ })
    .optional()
    .describe(
      'Chromium elsewhere that renders pages: the address of its DevTools Protocol, such as http://10.0.0.7:9222',
    )
    .meta({ secret: true }),
  proxyListen: z
    .string()
    .refine((text) => parseListenAddress(text) !== null, 'not a host with a port such as 10.0.0.4:3128')
    .optional()
    .describe(
      'Where render.endpoint reaches the proxy that guards it: a host of this machine with a port or a range of ports',
    ),
  guard: z
    .enum(['proxy', 'external'])
    .default('proxy')
    .describe('What keeps render.endpoint from private addresses: our proxy, or external, a network that you restrict'),
  crawl4ai: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Crawl4AI server that renders pages; what it fetches is outside the address guard'),
  concurrency: count(2, 64).describe('Pages that one worker process renders concurrently').meta(lower),
  timeoutMs: ms(30_000).describe('Timeout of rendering one page, from the request to the document'),
  pageIdleMs: ms(300).describe('How long network and document have to be quiet before a page is ready'),
  readyTimeoutMs: ms(10_000).describe('How long a page may take to become quiet; then it is taken as it is'),
  maxPageBytes: count(52_428_800, 1_073_741_824)
    .describe('Maximum bytes that a page and everything it loads may have')
    .meta(lower),
  maxUploadBytes: count(1_048_576, 1_073_741_824)
    .describe('Maximum bytes that a page may send with all its requests')
    .meta(lower),
  maxRequests: count(500, 100_000).describe('Maximum requests of a page, its parts and data included').meta(lower),
  memoryMb: z
    .int()
    .min(256)
    .max(65_536)
    .default(1024)
    .describe('Memory limit of a browser with all its processes; above it, its largest page is ended')
    .meta(lower),
  pagesPerBrowser: count(200, 1_000_000).describe('Pages after which a browser is replaced by a new one'),
  browserIdleMs: ms(60_000).describe('How long an unused browser stays'),
});

/** What contradicts itself; null if nothing does. */
export function renderProblem(
  provided: z.output<typeof renderSettings>,
): { readonly setting: string; readonly message: string } | null {
  const { mode, proxyListen, guard, ...others } = provided;
  const renderers = (['browser', 'endpoint', 'crawl4ai'] as const).filter((name) => others[name] !== undefined);
  const [first, second] = renderers;
  if (second !== undefined)
    return { setting: second, message: `only one of render.${first} and render.${second} can be used` };
  if (mode !== undefined && mode !== 'never' && first === undefined)
    return { setting: 'mode', message: `${mode} needs a browser: set render.browser, such as chromium` };
  if (first === 'endpoint' && guard === 'proxy' && proxyListen === undefined)
    return {
      setting: 'endpoint',
      message: 'needs render.proxyListen, so that its traffic passes the address guard; or render.guard=external',
    };
  return null;
}
