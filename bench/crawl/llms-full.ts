// Measures how many pages of real llms-full.txt files are attributed to their right URL, and how many wrongly.
//
//   node bench/crawl/llms-full.ts NAME=ORIGIN …
//
// Each origin serves llms.txt, llms-full.txt, and its pages with Markdown twins. The truth is taken page by page from
// the twin that llms.txt links: the text attributed to a page must be the text of that page's own twin. Besides the
// file as served, the same pages are written in the other forms that generators use, down to headings alone.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseLlmsTxt } from '../../src/core/discover/llms/llms-txt.ts';
import type { KnownPage, LlmsFullPage, LlmsFullSplit } from '../../src/core/discover/llms/llms-full-page.ts';
import { splitLlmsFull } from '../../src/core/discover/llms/split-llms-full.ts';
import { pageUrl, type PageUrl } from '../../src/core/model/page-url.ts';

interface TruePage {
  readonly url: PageUrl;
  readonly twin: PageUrl;
  readonly title: string;
  readonly text: string;
}

async function textOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: 'text/markdown, text/plain' } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.text();
}

/** The page of a Markdown twin is the address that answers with HTML. */
async function pageOfTwin(twin: string): Promise<PageUrl> {
  const bare = twin.replace(/\.md$/, '');
  for (const candidate of /\.html?$/.test(bare) ? [bare] : [`${bare}.html`, bare]) {
    const answer = await fetch(candidate, { method: 'HEAD', redirect: 'manual', headers: { accept: 'text/html' } });
    if (answer.status === 200 && answer.headers.get('content-type')?.startsWith('text/html') === true)
      return pageUrl(candidate);
  }
  throw new Error(`no page for ${twin}`);
}

/** Front pages are listed by their own address; null where such a page has no twin. */
async function twinOfPage(page: PageUrl): Promise<PageUrl | null> {
  const file = page.endsWith('/') ? `${page}index.html` : page;
  for (const twin of [`${file}.md`, file.replace(/\.html$/, '.md')]) {
    const answer = await fetch(twin, { method: 'HEAD' });
    if (answer.ok && answer.headers.get('content-type')?.startsWith('text/markdown') === true) return pageUrl(twin);
  }
  return null;
}

/** A clean URL and its file, a folder and its index both answer with the same page. */
function sameAddress(a: string, b: string): boolean {
  return cleanAddress(a) === cleanAddress(b);
}

function cleanAddress(url: string): string {
  return url.replace(/\/index\.html$/, '/').replace(/\.html$/, '');
}

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

const forms: Readonly<Record<string, (page: TruePage) => string>> = {
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
  readonly form: string;
  readonly found: string | null;
  readonly pages: number;
  readonly right: number;
  /** Of the right ones, those under the address of their Markdown twin. */
  readonly asTwin: number;
  readonly wrong: number;
  readonly left: number;
  readonly cpuMs: number;
}

function score(form: string, truth: readonly TruePage[], work: () => LlmsFullSplit): Score {
  const start = process.cpuUsage();
  const split = work();
  const { user, system } = process.cpuUsage(start);
  // Where only titles name pages and no sitemap is there, the address that llms.txt gives is the best there is.
  const isRight = (page: LlmsFullPage) =>
    truth.some(({ url, twin, title, text }) => {
      if (!sameAddress(url, page.url) && twin !== page.url) return false;
      const got = squeeze(page.text);
      return got === squeeze(text) || got === squeeze(`# ${title} ${text}`);
    });
  const wrong = split.pages.filter((page) => !isRight(page));
  for (const page of wrong.slice(0, 3)) console.log(`  wrong: ${form}: ${page.url} from line ${page.firstLine}`);
  const right = split.pages.length - wrong.length;
  const asTwin = split.pages.filter((page) => page.url.endsWith('.md')).length;
  return {
    form,
    found: split.form,
    pages: truth.length,
    right,
    asTwin,
    wrong: wrong.length,
    left: truth.length - right,
    cpuMs: Math.round((user + system) / 1000),
  };
}

async function sitemapPages(origin: string): Promise<readonly KnownPage[]> {
  const answer = await fetch(`${origin}/sitemap.xml`);
  if (!answer.ok) return [];
  const locations = (await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g);
  return Array.from(locations, ([, url = '']) => ({ url: pageUrl(url.replaceAll('&amp;', '&')), title: null }));
}

async function measure(origin: string): Promise<readonly Score[]> {
  const listUrl = pageUrl(`${origin}/llms.txt`);
  const fullUrl = pageUrl(`${origin}/llms-full.txt`);
  const { links } = parseLlmsTxt(await textOf(listUrl), listUrl);
  const truth: TruePage[] = [];
  for (const { url, title } of links) {
    const twin = url.endsWith('.md') ? url : await twinOfPage(url);
    if (twin === null) continue;
    truth.push({ url: twin === url ? await pageOfTwin(url) : url, twin, title, text: await textOf(twin) });
  }
  const known = [...links, ...(await sitemapPages(origin))];
  const full = await textOf(fullUrl);
  const scores = [score('as served', truth, () => splitLlmsFull({ text: full, url: fullUrl, known }))];
  scores.push(
    score('as served, llms.txt unknown', truth, () => splitLlmsFull({ text: full, url: fullUrl, known: [] })),
  );
  for (const [form, write] of Object.entries(forms)) {
    const text = truth.map(write).join('');
    scores.push(score(form, truth, () => splitLlmsFull({ text, url: fullUrl, known })));
  }
  // A list and a file that do not agree must cost pages, never truth.
  const whole = truth.map(({ text }) => `${text}\n\n`);
  const shorter = known.filter((_, index) => index % 20 !== 7);
  const headings = (text: string, pages: readonly KnownPage[]) => () =>
    splitLlmsFull({ text, url: fullUrl, known: pages });
  scores.push(score('headings only, 1 in 20 missing in llms.txt', truth, headings(whole.join(''), shorter)));
  const cut = whole.filter((_, index) => index % 20 !== 3).join('');
  scores.push(score('headings only, 1 in 20 missing in the file', truth, headings(cut, known)));
  return scores;
}

const sites: Record<string, readonly Score[]> = {};
for (const argument of process.argv.slice(2)) {
  const [name = '', origin = ''] = argument.split('=');
  sites[name] = await measure(origin.replace(/\/$/, ''));
  console.log(name);
  console.table(sites[name]);
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const command = `node bench/crawl/llms-full.ts ${process.argv.slice(2).join(' ')}`;
const result = { command, commit, date: new Date().toISOString(), node: process.version, sites };
writeFileSync(new URL('results/llms-full.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
