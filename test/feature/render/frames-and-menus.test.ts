// [F10] What a page shows in frames is part of it, and the links of its collapsed menus are found.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RenderOutcome } from '../../../src/render/port.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { HEADLESS } from '../../support/dashboard-server.ts';
import { createTestRenderer, type TestRenderer } from './test-renderer.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const LOREM = 'A page has to have some text before it counts as ready, at least about a line of it. ';
const LINKS =
  '<a href="#part">a</a> <a href="view?id=2">b</a> <a href="/guide">c</a> <a href="other">d</a> <a href="https://example.dev/">e</a>';
const COLLAPSED = `<main><p>${LOREM}</p></main><nav><button aria-expanded=false id=one>One</button><div id=menu></div>
  <button aria-expanded=false aria-haspopup=menu id=pop>Theme</button><form><button aria-expanded=false id=send>Send</button></form></nav>
  <script>
    one.onclick = () => { history.pushState(null, '', '/elsewhere'); document.querySelector('main').textContent = 'gone';
      setTimeout(() => { menu.innerHTML = '<a href=/first>First</a><button aria-expanded=false id=two>Two</button>';
        two.onclick = () => { menu.innerHTML += '<a href=/second rel=nofollow>Second</a><a href=https://example.dev/third>Third</a>' } }, 30) };
    pop.onclick = () => fetch('/clicked-pop'); send.onclick = () => fetch('/clicked-send');
  </script>`;

let site: CountingServer;
let other: CountingServer;
let renderer: TestRenderer;
let origin: string;

const pageOf = (path: string): string => {
  switch (path) {
    case '/framed':
      return `<main><h1>Outside</h1><iframe src="/inner/view?id=1" width=600 height=400></iframe><p>after</p></main>`;
    case '/late-frame':
      return `<main><p>${LOREM}</p><iframe src="/inner/late" width=600 height=400></iframe></main>`;
    case '/inner/late':
      return `<body><div id=app></div><script>setTimeout(() => { app.textContent = 'Drawn late' }, 2500)</script>`;
    case '/inner/view':
      return `<body><div id=app></div><div style="display: none">In reserve</div><script>
        setTimeout(() => { app.innerHTML = '<h2 id=part>Inside</h2><p>${LOREM}</p>${LINKS}<img src=image.png>' }, 900)</script>`;
    case '/hidden-frames':
      return `<p>${LOREM}</p><iframe src=/secret width=1 height=1></iframe><iframe src=/secret style="display: none"></iframe>
        <iframe src=/secret sandbox="allow-scripts" width=600 height=400></iframe><iframe src=http://127.0.0.1:${other.port}/ width=600 height=400></iframe>`;
    case '/secret':
      return '<p>withheld</p>';
    case '/nested':
      return `<p>${LOREM}</p><iframe src="/nested?${Math.random()}" width=600 height=400></iframe>`;
    case '/collapsed':
      return COLLAPSED;
    case '/away':
      return `<p>${LOREM}</p><nav><button aria-expanded=false onclick="location.href = '/secret'">Away</button></nav>`;
    case '/hangs':
      return `<p>${LOREM}</p><nav><button aria-expanded=false onclick="for (;;) {}">Hangs</button></nav>`;
    default:
      return '';
  }
};

beforeAll(async () => {
  other = await startCountingServer((_, response) => response.setHeader('content-type', 'text/html').end('withheld'));
  site = await startCountingServer((request, response) => {
    const html = pageOf((request.url ?? '').split('?')[0] ?? '');
    response.writeHead(html === '' ? 404 : 200, { 'content-type': 'text/html' }).end(html);
  });
  origin = `http://127.0.0.1:${site.port}`;
  renderer = createTestRenderer({ executable: HEADLESS });
});
afterAll(async () => {
  await renderer.close();
  await site.close();
  await other.close();
});

async function render(path: string): Promise<Extract<RenderOutcome, { kind: 'rendered' }>> {
  const outcome = await renderer.render({ url: `${origin}${path}` as never, source: 'one' });
  if (outcome.kind !== 'rendered') throw new Error(`${outcome.code}: ${outcome.reason}`);
  return outcome;
}

test('the text of a frame of the same origin stands in its place, as its scripts left it', async () => {
  const { html, url } = await render('/framed');
  expect(url).toBe(`${origin}/framed`);
  expect(html).not.toContain('<iframe');
  expect(html).not.toContain('In reserve');
  expect(html.replaceAll(/<[^>]*>|\s+/g, ' ')).toMatch(/Outside.*Inside.*A page has to.*after/);
});

test('a large frame is waited for until it is drawn', async () => {
  const { html, readiness } = await render('/late-frame');
  expect(readiness).toBe('quiet');
  expect(html).toContain('Drawn late');
});

test('URLs in a frame are those of its document, and links that only change the frame lead nowhere', async () => {
  const { html } = await render('/framed');
  const links = [...html.matchAll(/<a(?: href="([^"]*)")?>(.)<\/a>/g)].map(([, href, name]) => [name, href]);
  expect(links).toEqual([
    ['a', '#part'],
    ['b', undefined],
    ['c', `${origin}/guide`],
    ['d', `${origin}/inner/other`],
    ['e', 'https://example.dev/'],
  ]);
  expect(html).toContain(`src="${origin}/inner/image.png"`);
});

test('frames that nobody sees, that are sandboxed, or of another origin are not read', async () => {
  const { html } = await render('/hidden-frames');
  expect(html).toContain('A page has to');
  expect(html).not.toContain('withheld');
  expect(other.requests).toEqual([]);
});

test('frames in frames are read to a limit', async () => {
  const { html } = await render('/nested');
  expect(html.split('A page has to').length - 1).toBe(4);
});

test('links of collapsed menus are found, and the document is that of before', async () => {
  const { html, url } = await render('/collapsed');
  expect(url).toBe(`${origin}/collapsed`);
  expect(html).toContain('A page has to');
  expect(html).not.toContain('gone');
  const menu = html.slice(html.lastIndexOf('<nav>'));
  expect(menu).toMatch(
    /^<nav><a href="[^"]*\/first">First<\/a><a href="[^"]*\/second" rel="nofollow">Second<\/a><\/nav>/,
  );
  expect(site.requests.filter((request) => JSON.stringify(request).includes('clicked'))).toEqual([]);
});

test.each(['/away', '/hangs'])('a menu that does something else costs only its links: %s', async (path) => {
  const { html, url } = await render(path);
  expect(url).toBe(origin + path);
  expect(html).toContain('A page has to');
});
