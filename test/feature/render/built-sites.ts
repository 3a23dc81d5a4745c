// Single-page sites that are built from the guides of this project with the real tools: VitePress, whose pages are also served as
// they were prerendered, and React with React Router.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { startCountingServer } from '../../support/counting-server.ts';
import { serveFiles, type SpaSite } from './spa-sites.ts';

const PACKAGES = [
  'vitepress@1.6.4',
  'react@19.3.1',
  'react-dom@19.3.1',
  'react-router@8.5.1',
  'marked@18.2.0',
  'esbuild@0.28.2',
];
const GUIDES = join(import.meta.dirname, '../../../docs/guides');

export const guideNames: readonly string[] = readdirSync(GUIDES)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -3));

/** Installs tools into the folder. */
export function installTools(folder: string, packages: readonly string[] = PACKAGES): void {
  writeFileSync(join(folder, 'package.json'), '{ "name": "sites", "private": true, "type": "module" }\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  execFileSync('npm', args, { cwd: folder, stdio: 'ignore' });
}

/** A site with the text of each page as it should be read, or as the prerendered site has it. */
export interface PrerenderedSite extends SpaSite {
  /** Start of the prerendered site. */
  readonly prerendered: string;
}

/** The same pages twice: as VitePress prerendered them, and as its scripts alone would show them. */
export async function vitepressSite(folder: string): Promise<PrerenderedSite> {
  const source = join(folder, 'vitepress');
  mkdirSync(join(source, '.vitepress'), { recursive: true });
  for (const name of guideNames) copyFileSync(join(GUIDES, `${name}.md`), join(source, `${name}.md`));
  const list = guideNames.map((name) => `- [${name}](./${name}.md)`).join('\n');
  writeFileSync(join(source, 'index.md'), `# Guides\n\nEvery guide of the project, one page each:\n\n${list}\n`);
  writeFileSync(
    join(source, '.vitepress', 'config.js'),
    'export default { title: "Guides", ignoreDeadLinks: true, cleanUrls: true }\n',
  );
  execFileSync(join(folder, 'node_modules', '.bin', 'vitepress'), ['build', source], { cwd: folder, stdio: 'ignore' });
  const built = join(source, '.vitepress', 'dist');
  const original = await startCountingServer(serveCleanUrls(built, (html) => html));
  const server = await startCountingServer(serveCleanUrls(built, emptied));
  const start = `http://127.0.0.1:${server.port}/`;
  return {
    server,
    start,
    prerendered: `http://127.0.0.1:${original.port}/`,
    pages: [start, ...guideNames.map((name) => start + name)].toSorted(),
    async close() {
      await server.close();
      await original.close();
    },
  };
}

/** What a site without prerendering serves: the page with an empty root. */
function emptied(html: string): string {
  const begin = html.indexOf('<div id="app">') + '<div id="app">'.length;
  const end = html.indexOf('<script', begin);
  return `${html.slice(0, begin)}</div>${end === -1 ? '</body></html>' : html.slice(end)}`;
}

function serveCleanUrls(folder: string, change: (html: string) => string): RequestListener {
  const files = serveFiles({}, folder);
  return (request, response) => {
    // The first page of a visit loads a script without the texts that are in its HTML; the full one is next to it.
    request.url = request.url?.replace('.lean.js', '.js');
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const file = join(folder, pathname === '/' ? 'index.html' : `${pathname}.html`);
    if (pathname.includes('..') || !existsSync(file)) return files(request, response);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(change(readFileSync(file, 'utf8')));
  };
}

const REACT_PROGRAM = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes, useParams } from 'react-router';
import { marked } from 'marked';
import guides from './guides.json';

const Menu = () => h('nav', null, Object.keys(guides).map((name) => h(Link, { key: name, to: '/guide/' + name }, name)));
const Home = () => h('main', null, h('h1', null, 'Guides'), h('p', null, 'Every guide of the project has its own page, listed next to this text.'));
function Guide() {
  const text = guides[useParams().name];
  return text === undefined ? h(Missing) : h('main', { dangerouslySetInnerHTML: { __html: marked.parse(text) } });
}
const Missing = () => h('main', null, h('h1', null, 'Page not found'));
const App = () => h(BrowserRouter, null, h(Menu), h(Routes, null,
  h(Route, { path: '/', element: h(Home) }),
  h(Route, { path: '/guide/:name', element: h(Guide) }),
  h(Route, { path: '*', element: h(Missing) })));
createRoot(document.getElementById('root')).render(h(App));
`;

export interface MarkdownSite extends SpaSite {
  /** What the pages were made from. */
  readonly markdown: ReadonlyMap<string, string>;
}

/** One page of HTML for every address, as such sites are usually served. */
export async function reactSite(folder: string): Promise<MarkdownSite> {
  const source = join(folder, 'react');
  mkdirSync(source, { recursive: true });
  const texts = Object.fromEntries(guideNames.map((name) => [name, withoutLinks(name)]));
  writeFileSync(join(source, 'guides.json'), JSON.stringify(texts));
  writeFileSync(join(source, 'app.js'), REACT_PROGRAM);
  const args = [
    'app.js',
    '--bundle',
    '--minify',
    '--outfile=dist/app.min.js',
    '--define:process.env.NODE_ENV="production"',
  ];
  execFileSync(join(folder, 'node_modules', '.bin', 'esbuild'), args, { cwd: source, stdio: 'ignore' });
  const files = serveFiles({}, join(source, 'dist'));
  const shell =
    '<!doctype html><html lang="en"><head><title>Guides</title></head><body><div id="root"></div><script src="/app.min.js"></script></body></html>';
  const server = await startCountingServer((request, response) => {
    if (/\.(?:js|txt|xml|json|md)$/.test(request.url ?? '')) return files(request, response);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shell);
  });
  const start = `http://127.0.0.1:${server.port}/`;
  const markdown = new Map(guideNames.map((name) => [`${start}guide/${name}`, texts[name]!]));
  return { server, start, pages: [start, ...markdown.keys()].toSorted(), markdown, close: () => server.close() };
}

/** The text of a guide; its links lead to what the site does not have. */
export function withoutLinks(name: string): string {
  return readFileSync(join(GUIDES, `${name}.md`), 'utf8').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
