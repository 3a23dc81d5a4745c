// npm run site: writes the pages of the site from the Markdown of the project and builds it into docs/site/dist. With
// --pages it only writes what the build reads: pages, sidebar, llms.txt, llms-full.txt and the Markdown twin of each page.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openapiDocument } from '../src/serve/http/openapi-document.ts';
import { FRONT_PAGE, SITE_SECTIONS, type SitePage, type SiteSection } from './site/site-contents.table.ts';
import { llmsFullTxt, llmsTxt, type WrittenPage } from './site/llms-files.ts';
import { readProjectPage, withSiteLinks, type LinkPlaces } from './site/site-markdown.ts';

const project = join(import.meta.dirname, '..');
const site = join(project, 'docs/site');
const pagesFolder = join(site, 'src/content/docs');
const publicFolder = join(site, 'public');

const decisions = readdirSync(join(project, 'docs/decisions'))
  .sort()
  .map((name) => ({ file: `docs/decisions/${name}`, slug: `decisions/${name.replace(/\.md$/, '')}` }));
const sections: readonly SiteSection[] = [...SITE_SECTIONS, { label: 'Decisions', folded: true, pages: decisions }];
const slugOf = new Map([FRONT_PAGE, ...sections.flatMap(({ pages }) => pages)].map(({ file, slug }) => [file, slug]));

for (const folder of [join(site, 'src/content'), publicFolder]) rmSync(folder, { recursive: true, force: true });
const front = writePage(FRONT_PAGE);
const written = sections.map(({ label, pages, folded = false }) => ({ label, folded, pages: pages.map(writePage) }));
write(join(site, 'src/content/sidebar.json'), JSON.stringify(written.map(sidebarGroup)));
for (const place of [publicFolder, join(site, 'src/content')])
  cpSync(join(project, 'web/public/mark.svg'), join(place, 'mark.svg'));
write(join(publicFolder, 'llms.txt'), llmsTxt(front, written));
write(join(publicFolder, 'llms-full.txt'), llmsFullTxt([front, ...written.flatMap(({ pages }) => pages)]));
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
write(join(publicFolder, 'openapi.json'), JSON.stringify(openapiDocument(version)));
// Results of measurements are for whoever checks a figure, not for a library.
write(join(publicFolder, 'robots.txt'), 'User-agent: *\nDisallow: /files/\n');
if (!process.argv.includes('--pages')) build();

function writePage(page: SitePage): WrittenPage {
  const { title, description, body } = readProjectPage(readFileSync(join(project, page.file), 'utf8'));
  const twin = `/${page.slug}.md`;
  const inSite = withSiteLinks(
    body,
    page.file,
    placesOf((slug) => (slug === 'index' ? '/' : `/${slug}/`)),
  );
  const inTwin = `# ${title}\n\n${withSiteLinks(
    body,
    page.file,
    placesOf((slug) => `/${slug}.md`),
  )}\n`;
  const head = [{ tag: 'link', attrs: { rel: 'alternate', type: 'text/markdown', href: twin } }];
  const facts = { title, description, head };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  write(join(pagesFolder, `${page.slug}.md`), ['---', ...lines, '---', '', inSite, ''].join('\n'));
  write(join(publicFolder, twin), inTwin);
  return { title, description, slug: page.slug, markdown: inTwin };
}

function placesOf(address: (slug: string) => string): LinkPlaces {
  return {
    pageAt: (file) => (slugOf.has(file) ? address(slugOf.get(file) ?? '') : null),
    fileAt(file) {
      if (!/^(docs\/(images|extraction)|bench\/results)\//.test(file) || !existsSync(join(project, file))) return null;
      cpSync(join(project, file), join(publicFolder, 'files', file));
      return `/files/${file}`;
    },
  };
}

function sidebarGroup({ label, folded, pages }: { label: string; folded: boolean; pages: readonly WrittenPage[] }) {
  return { label, collapsed: folded, items: pages.map(({ title, slug }) => ({ label: title, slug })) };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Astro counts its users unless it is told not to. */
function build(): void {
  if (!existsSync(join(site, 'node_modules')))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: site, stdio: 'inherit' });
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  execFileSync(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], { cwd: site, stdio: 'inherit', env });
}
