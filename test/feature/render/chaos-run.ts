// Renders many pages, some of which do their worst, while browsers are killed; and measures what the processes use in the meantime.

import { statFields } from '../../../bench/support/backend-cpu.ts';
import type { RenderOutcome } from '../../../src/render/port.ts';
import { findProcess, killProcesses, readProcessTree } from '../../../src/render/process-tree.ts';
import { startCountingServer } from '../../support/counting-server.ts';
import { createTestRenderer } from './test-renderer.ts';

const LOREM = 'A page has to have some text before it counts as ready, at least about a line of it. ';

/** What bad pages do, and how that has to end: by error code, or `rendered`. */
const BAD_PAGES: Readonly<Record<string, { readonly html: string; readonly ends: readonly string[] }>> = {
  hang: { html: '<p>x<script>for (;;) {}</script>', ends: ['render.timeout'] },
  alerts: { html: '<p>x<script>for (;;) alert(1)</script>', ends: ['render.timeout'] },
  memory: {
    html: `<p>x<script>const held = []; setInterval(() => { for (let nth = 0; nth < 20; nth += 1) held.push(new Array(1e6).fill(Math.random())) }, 0)</script>`,
    ends: ['render.crashed', 'render.timeout'],
  },
  redirects: { html: `<script>location.href = '?' + Math.random()</script>`, ends: ['render.failed'] },
  download: { html: 'x', ends: ['render.failed'] },
  nodes: {
    html: `<main id=app></main><script>for (let nth = 0; nth < 50000; nth += 1) app.append(Object.assign(document.createElement('p'), { textContent: 'node ' + nth }))</script>`,
    // On a busy machine, reading the document may take longer than it may.
    ends: ['rendered', 'render.timeout'],
  },
};
const BAD = Object.keys(BAD_PAGES);

/** Its place among the fields of a process. */
const START_TIME = 19;
/** A process that was killed takes a moment to end. */
const MAX_END_MS = 10_000;

export interface ChaosSettings {
  readonly pages: number;
  /** Every so many pages is a bad one. */
  readonly badEvery: number;
  /** Every so many pages, the browser is killed. */
  readonly killEvery: number;
}

export interface ChaosResult extends ChaosSettings {
  readonly bad: number;
  readonly kills: number;
  /** Outcomes of bad pages that differ from what was expected, and good pages without their text. */
  readonly wrong: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  /** Peak memory of this process and all its browsers. */
  readonly peakBytes: number;
  readonly leftProcesses: number;
  readonly seconds: number;
}

export async function chaosRun(settings: ChaosSettings): Promise<ChaosResult> {
  const site = await startCountingServer((request, response) => {
    const [, kind = ''] = /^\/(\w+)/.exec(request.url ?? '') ?? [];
    if (kind === 'download') response.setHeader('content-disposition', 'attachment; filename=x.zip');
    const html =
      BAD_PAGES[kind]?.html ?? `<div id=app></div><script>app.innerHTML = '<p>${LOREM}${request.url}'</script>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>x</title>${html}`);
  });
  const limits = {
    timeoutMs: 20_000,
    pageIdleMs: 100,
    readyTimeoutMs: 3000,
    maxPageBytes: 5_000_000,
    maxBodyBytes: 10_000_000,
  };
  const renderer = createTestRenderer({ limits, maxMemoryBytes: 900 * 1024 * 1024 });
  const seen = new Set<string>();
  let peakBytes = 0;
  const watch = setInterval(() => {
    const tree = readProcessTree(process.pid);
    for (const { pid } of tree) {
      const key = pid === process.pid ? null : processKey(pid);
      if (key !== null) seen.add(key);
    }
    peakBytes = Math.max(
      peakBytes,
      tree.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  }, 250);
  const startMs = performance.now();
  const wrong: string[] = [];
  const outcomes: Record<string, number> = {};
  let kills = 0;
  let bad = 0;

  async function renderNth(nth: number): Promise<void> {
    const isBad = nth % settings.badEvery === 0;
    const kind = isBad ? (BAD[(nth / settings.badEvery) % BAD.length] ?? '') : `page${nth}`;
    if (isBad) bad += 1;
    const outcome = await renderer.render({
      url: `http://127.0.0.1:${site.port}/${kind}` as never,
      source: `s${nth % 3}`,
    });
    const end = outcome.kind === 'rendered' ? 'rendered' : outcome.code;
    outcomes[end] = (outcomes[end] ?? 0) + 1;
    if (isBad ? !BAD_PAGES[kind]?.ends.includes(end) : !hasText(outcome, kind)) wrong.push(`${kind}: ${end}`);
  }

  const queue = Array.from({ length: settings.pages }, (_, nth) => nth);
  const worker = async (): Promise<void> => {
    for (let nth = queue.shift(); nth !== undefined; nth = queue.shift()) {
      const rendering = renderNth(nth);
      const pid = nth % settings.killEvery === settings.killEvery - 1 ? browserOf(renderer.proxies.at(-1)?.port) : null;
      if (pid !== null) {
        kills += 1;
        killProcesses([pid]);
      }
      await rendering;
    }
  };
  try {
    await Promise.all([worker(), worker()]);
  } finally {
    await renderer.close();
    clearInterval(watch);
    await site.close();
  }
  const left = (): number => [...seen].filter((key) => key === processKey(Number.parseInt(key, 10))).length;
  const endMs = performance.now() + MAX_END_MS;
  while (left() > 0 && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 100));
  const leftProcesses = left();
  const seconds = (performance.now() - startMs) / 1000;
  return { ...settings, bad, kills, wrong, outcomes, peakBytes, leftProcesses, seconds };
}

/** With the time of its start: the number of a process that has ended is given to others. */
function processKey(pid: number): string | null {
  const fields = statFields(pid);
  return fields === null ? null : `${pid} ${fields[START_TIME]}`;
}

const browserOf = (port: number | undefined): number | null =>
  port === undefined ? null : findProcess(`--proxy-server=http://127.0.0.1:${port}`);

function hasText(outcome: RenderOutcome, kind: string): boolean {
  return outcome.kind === 'rendered' && outcome.html.includes(`/${kind}`);
}
