// npm run site: generates the pages of the site from the project's Markdown and builds it into docs/site/dist. With
// --pages it only writes the input of the build: pages, sidebar, llms.txt, llms-full.txt and the Markdown variant of each page.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openapiDocument } from '../src/serve/http/openapi-document.ts';
import { FRONT_PAGE, SITE_SECTIONS, type SitePage, type SiteSection } from './site/site-contents.table.ts';
import { llmsFullTxt, llmsTxt, type WrittenPage } from './site/llms-files.ts';
import { readProjectPage, withSiteLinks, type LinkTargets } from './site/site-markdown.ts';

const project = join(import.meta.dirname, '..');
const site = join(project, 'docs/site');
const pagesFolder = join(site, 'src/content/docs');
const publicFolder = join(site, 'public');

const decisions = readdirSync(join(project, 'docs/decisions'))
  .sort((a, b) => Number(b === 'README.md') - Number(a === 'README.md') || (a < b ? -1 : 1))
  .map((name) => ({
    file: `docs/decisions/${name}`,
    slug: name === 'README.md' ? 'decisions/overview' : `decisions/${name.replace(/\.md$/, '')}`,
  }));
const sections: readonly SiteSection[] = [...SITE_SECTIONS, { label: 'Decisions', collapsed: true, pages: decisions }];
const slugOf = new Map([FRONT_PAGE, ...sections.flatMap(({ pages }) => pages)].map(({ file, slug }) => [file, slug]));

for (const folder of [join(site, 'src/content'), publicFolder]) rmSync(folder, { recursive: true, force: true });
const front = writePage(FRONT_PAGE);
const written = sections.map(({ label, pages, collapsed = false }) => ({
  label,
  collapsed,
  pages: pages.map(writePage),
}));
write(join(site, 'src/content/sidebar.json'), JSON.stringify(written.map(sidebarGroup)));
for (const folder of [publicFolder, join(site, 'src/content')])
  cpSync(join(project, 'web/public/mark.svg'), join(folder, 'mark.svg'));
write(join(publicFolder, 'llms.txt'), llmsTxt(front, written));
write(join(publicFolder, 'llms-full.txt'), llmsFullTxt([front, ...written.flatMap(({ pages }) => pages)]));
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
write(join(publicFolder, 'openapi.json'), JSON.stringify(openapiDocument(version)));
// Benchmark results are for people who check a figure, not for search.
write(join(publicFolder, 'robots.txt'), 'User-agent: *\nDisallow: /files/\n');
if (!process.argv.includes('--pages')) build();

function writePage(page: SitePage): WrittenPage {
  const { title, description, body } = readProjectPage(readFileSync(join(project, page.file), 'utf8'));
  const variant = `/${page.slug}.md`;
  const inSite = withSiteLinks(
    body,
    page.file,
    linkTargets((slug) => (slug === 'index' ? '/' : `/${slug}/`)),
  );
  const inVariant = `# ${title}\n\n${withSiteLinks(
    body,
    page.file,
    linkTargets((slug) => `/${slug}.md`),
  )}\n`;
  const head = [{ tag: 'link', attrs: { rel: 'alternate', type: 'text/markdown', href: variant } }];
  const frontMatter = { title, description, head };
  const lines = Object.entries(frontMatter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  write(join(pagesFolder, `${page.slug}.md`), ['---', ...lines, '---', '', inSite, ''].join('\n'));
  write(join(publicFolder, variant), inVariant);
  return { title, description, slug: page.slug, markdown: inVariant };
}

function linkTargets(urlOf: (slug: string) => string): LinkTargets {
  return {
    pageAt: (file) => (slugOf.has(file) ? urlOf(slugOf.get(file) ?? '') : null),
    fileAt(file) {
      if (!/^(docs\/(images|extraction)|bench\/results)\//.test(file) || !existsSync(join(project, file))) return null;
      cpSync(join(project, file), join(publicFolder, 'files', file));
      return `/files/${file}`;
    },
  };
}

function sidebarGroup({
  label,
  collapsed,
  pages,
}: {
  label: string;
  collapsed: boolean;
  pages: readonly WrittenPage[];
}) {
  return { label, collapsed, items: pages.map(({ title, slug }) => ({ label: title, slug })) };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Astro sends telemetry unless it is disabled. */
function build(): void {
  if (!existsSync(join(site, 'node_modules')))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: site, stdio: 'inherit' });
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  execFileSync(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], { cwd: site, stdio: 'inherit', env });
}
