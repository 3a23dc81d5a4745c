// [F10] A plan says which pages need a browser, and why.

import { tmpdir } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { plan } from '../../../src/compose/plan.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import { CrawlSettings } from '../../../src/core/model/source-settings.ts';
import type { SourcePlan } from '../../../src/library/plan-source.ts';
import { configFromProgram } from '../../../src/platform/config/load-config.ts';
import type { ConfigValues } from '../../../src/platform/config/schema.ts';
import { createLog } from '../../../src/platform/log.ts';
import { renderPlan } from '../../../src/serve/cli/render/render-run.ts';
import { docsifySite } from './spa-sites.ts';
import { CHROMIUM } from './test-renderer.ts';

vi.setConfig({ testTimeout: 120_000 });

const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });
const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

/** Of a site whose pages are routes. */
async function planDocsify(
  render: NonNullable<ConfigValues['render']>,
): Promise<{ readonly start: string; readonly planned: SourcePlan }> {
  const site = await docsifySite(['ci']);
  closing.push(site);
  const { config } = configFromProgram(
    {
      fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] },
      crawl: { startDelayMs: 1, minDelayMs: 1 },
      render,
    },
    tmpdir(),
  );
  const context = { config, log, command: 'test', signal: AbortSignal.timeout(60_000) };
  const settings = CrawlSettings.parse({ preset: 'basic' });
  return { start: site.start, planned: await plan(context, site.start as PageUrl, settings) };
}

test('with a browser, the pages behind the empty one are found and named with their reason', async () => {
  const { start, planned } = await planDocsify({ browser: CHROMIUM, sandbox: 'off' });
  expect(planned.rendering).toEqual({
    mode: 'auto',
    pages: [
      { url: start, reason: 'empty' },
      { url: `${start}#/guides/ci`, reason: 'route' },
    ],
  });
  expect(planned.problems).toEqual([]);
  expect(renderPlan(planned)).toContain(`Rendered in a browser:\n  ${start}: it is empty without a browser`);
});

test('without one, it is the page that needs it', async () => {
  const { start, planned } = await planDocsify({});
  expect(planned.rendering).toEqual({ mode: 'never', pages: [{ url: start, reason: 'empty' }] });
  expect(renderPlan(planned)).toContain('The start page is empty without a browser');
});
