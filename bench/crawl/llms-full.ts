// Measures how many pages of real llms-full.txt files are attributed to the right URL, and how many to a wrong one.
//
//   node bench/crawl/llms-full.ts NAME=ORIGIN …
//
// Each origin serves llms.txt, llms-full.txt, and its pages with Markdown variants. The ground truth of a page is the Markdown
// variant that llms.txt links to: the text attributed to the page must equal it. In addition to the file as served, the same
// pages are written in the other forms that generators use, down to headings alone.

import { parseLlmsTxt } from '../../src/core/discover/llms/llms-txt.ts';
import type { ListedPage, LlmsFullPage, LlmsFullSplit } from '../../src/core/discover/llms/llms-full-page.ts';
import { splitLlmsFull } from '../../src/core/discover/llms/split-llms-full.ts';
import { pageUrl, type PageUrl } from '../../src/core/model/page-url.ts';
import { writeResult } from '../support/write-result.ts';

interface TruePage {
  readonly url: PageUrl;
  readonly variant: PageUrl;
  readonly title: string;
  readonly text: string;
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/markdown, text/plain' } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

/** The page of a Markdown variant is the URL that responds with HTML. */
async function pageOfVariant(variant: string): Promise<PageUrl> {
  const bare = variant.replace(/\.md$/, '');
  for (const candidate of /\.html?$/.test(bare) ? [bare] : [`${bare}.html`, bare]) {
    const response = await fetch(candidate, { method: 'HEAD', redirect: 'manual', headers: { accept: 'text/html' } });
    if (response.status === 200 && response.headers.get('content-type')?.startsWith('text/html') === true)
      return pageUrl(candidate);
  }
  throw new Error(`no page for ${variant}`);
}

/** Front pages are listed by their own URL; null if such a page has no Markdown variant. */
async function variantOfPage(page: PageUrl): Promise<PageUrl | null> {
  const file = page.endsWith('/') ? `${page}index.html` : page;
  for (const variant of [`${file}.md`, file.replace(/\.html$/, '.md')]) {
    const response = await fetch(variant, { method: 'HEAD' });
    if (response.ok && response.headers.get('content-type')?.startsWith('text/markdown') === true)
      return pageUrl(variant);
  }
  return null;
}

/** A clean URL and its file, or a folder and its index, respond with the same page. */
function sameUrl(a: string, b: string): boolean {
  return cleanUrl(a) === cleanUrl(b);
}

function cleanUrl(url: string): string {
  return url.replace(/\/index\.html$/, '/').replace(/\.html$/, '');
}

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

const styles: Readonly<Record<string, (page: TruePage) => string>> = {
  'heading and Source line': ({ url, title, text }) => `# ${title}\nSource: ${url}\n\n${text}\n\n`,
  'front matter with url': ({ url, title, text }) =>
    `---\nurl: ${new URL(url).pathname}\ntitle: "${title}"\n---\n\n${text}\n\n`,
  'doc tags with url': ({ url, title, text }) =>
    `<doc url="${url}" title="${title.replaceAll(/["<>]/g, '')}">\n${text}\n</doc>\n\n`,
  'page tags with front matter': ({ url, title, text }) =>
    `<page>\n---\ntitle: ${title}\nsource_url:\n  html: ${url}\n---\n\n${text}\n</page>\n\n`,
  'linked headings': ({ url, title, text }) => `# [${title}](${url})\n\n${text}\n\n`,
  'doc tags with title only': ({ title, text }) =>
    `<doc title="${title.replaceAll(/["<>]/g, '')}">\n${text}\n</doc>\n\n`,
  'headings only': ({ text }) => `${text}\n\n`,
};

interface Score {
  readonly style: string;
  readonly found: string | null;
  readonly pages: number;
  readonly right: number;
  /** Right pages that are under the URL of their Markdown variant. */
  readonly asVariant: number;
  readonly wrong: number;
  readonly left: number;
  readonly cpuMs: number;
}

function score(style: string, truth: readonly TruePage[], work: () => LlmsFullSplit): Score {
  const start = process.cpuUsage();
  const split = work();
  const { user, system } = process.cpuUsage(start);
  // Where only titles name pages and there is no sitemap, the URL in llms.txt is the best available.
  const isRight = (page: LlmsFullPage) =>
    truth.some(({ url, variant, title, text }) => {
      if (!sameUrl(url, page.url) && variant !== page.url) return false;
      const got = squeeze(page.text);
      return got === squeeze(text) || got === squeeze(`# ${title} ${text}`);
    });
  const wrong = split.pages.filter((page) => !isRight(page));
  for (const page of wrong.slice(0, 3)) console.log(`  wrong: ${style}: ${page.url} from line ${page.firstLine}`);
  const right = split.pages.length - wrong.length;
  const asVariant = split.pages.filter((page) => page.url.endsWith('.md')).length;
  return {
    style,
    found: split.markerStyle,
    pages: truth.length,
    right,
    asVariant,
    wrong: wrong.length,
    left: truth.length - right,
    cpuMs: Math.round((user + system) / 1000),
  };
}

async function sitemapPages(origin: string): Promise<readonly ListedPage[]> {
  const response = await fetch(`${origin}/sitemap.xml`);
  if (!response.ok) return [];
  const locations = (await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g);
  return Array.from(locations, ([, url = '']) => ({ url: pageUrl(url.replaceAll('&amp;', '&')), title: null }));
}

async function measure(origin: string): Promise<readonly Score[]> {
  const listUrl = pageUrl(`${origin}/llms.txt`);
  const fullUrl = pageUrl(`${origin}/llms-full.txt`);
  const { links } = parseLlmsTxt(await textOf(listUrl), listUrl);
  const truth: TruePage[] = [];
  for (const { url, title } of links) {
    const variant = url.endsWith('.md') ? url : await variantOfPage(url);
    if (variant === null) continue;
    truth.push({ url: variant === url ? await pageOfVariant(url) : url, variant, title, text: await textOf(variant) });
  }
  const listed = [...links, ...(await sitemapPages(origin))];
  const full = await textOf(fullUrl);
  const scores = [score('as served', truth, () => splitLlmsFull({ text: full, url: fullUrl, listed }))];
  scores.push(
    score('as served, llms.txt unknown', truth, () => splitLlmsFull({ text: full, url: fullUrl, listed: [] })),
  );
  for (const [style, write] of Object.entries(styles)) {
    const text = truth.map(write).join('');
    scores.push(score(style, truth, () => splitLlmsFull({ text, url: fullUrl, listed })));
  }
  // A list and a file that disagree may lose pages, but must never attribute one wrongly.
  const whole = truth.map(({ text }) => `${text}\n\n`);
  const shorter = listed.filter((_, index) => index % 20 !== 7);
  const headings = (text: string, pages: readonly ListedPage[]) => () =>
    splitLlmsFull({ text, url: fullUrl, listed: pages });
  scores.push(score('headings only, 1 in 20 missing in llms.txt', truth, headings(whole.join(''), shorter)));
  const cut = whole.filter((_, index) => index % 20 !== 3).join('');
  scores.push(score('headings only, 1 in 20 missing in the file', truth, headings(cut, listed)));
  return scores;
}

const sites: Record<string, readonly Score[]> = {};
for (const argument of process.argv.slice(2)) {
  const [name = '', origin = ''] = argument.split('=');
  sites[name] = await measure(origin.replace(/\/$/, ''));
  console.log(name);
  console.table(sites[name]);
}
writeResult('llms-full', { sites });
