import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import { alternateMarkdown } from './alternate-link.ts';

const PAGE = pageUrl('https://docs.example.dev/guide/start');
const head = (links: string): string => `<!doctype html><html><head><title>Start</title>${links}</head><body><p>Text`;

test('the alternate of a page is found in its head or in its header', () => {
  const link = '<link REL="canonical alternate" type="text/markdown; charset=utf-8" href="../raw/start.md">';
  expect(alternateMarkdown(PAGE, head(`<link rel="alternate" type="application/rss+xml" href="/rss">${link}`))).toBe(
    'https://docs.example.dev/raw/start.md',
  );
  const header =
    '</feed>; rel="alternate"; type="application/rss+xml", </raw/a,b.md>; rel=alternate; type="text/markdown"';
  expect(alternateMarkdown(PAGE, head(''), header)).toBe('https://docs.example.dev/raw/a,b.md');
});

test('an alternate of another origin, in the text, or of the page itself, is not', () => {
  const at = (href: string): string => `<link rel="alternate" type="text/markdown" href="${href}">`;
  expect(alternateMarkdown(PAGE, head(at('https://evil.example/x.md')))).toBeNull();
  expect(alternateMarkdown(PAGE, head(at('start')))).toBeNull();
  expect(alternateMarkdown(PAGE, head(at('http://[')))).toBeNull();
  expect(alternateMarkdown(PAGE, `${head('')}${at('/a.md')}`)).toBeNull();
  expect(alternateMarkdown(PAGE, head(`<!-- ${at('/a.md')} --><script>"${at('/a.md')}"</script>`))).toBeNull();
});

test('a hostile head takes linear time', () => {
  expect(alternateMarkdown(PAGE, '<link '.repeat(200_000), '<'.repeat(100_000))).toBeNull();
});
