import { expect, test } from 'vitest';
import { markupFacts } from './html-facts.ts';

const facts = (html: string) => markupFacts(html).html;

test('visible characters are counted without scripts, styles, comments and titles', () => {
  const html = '<title>no</title><p>ab c</p><!-- no --><style>no</style><script>no</script><b>d</b>';
  expect(facts(html).textLength).toBe(4);
});

test('an unclosed comment or script hides the rest', () => {
  expect(facts('ab<!-- cd').textLength).toBe(2);
  expect(facts('ab<script>cd<p>ef').textLength).toBe(2);
});

test('a quoted > does not end a tag', () => {
  expect(facts('<p title="a > b">ok</p>').textLength).toBe(2);
});

test('a meta refresh in its usual forms', () => {
  expect(facts('<meta http-equiv=refresh content="0;url=http://x/">').refresh).toEqual({
    afterSeconds: 0,
    to: 'http://x/',
  });
  expect(facts(`<META HTTP-EQUIV="Refresh" CONTENT="5; URL='b.html'">`).refresh).toEqual({
    afterSeconds: 5,
    to: 'b.html',
  });
  expect(facts('<meta http-equiv="refresh" content="300">').refresh).toEqual({ afterSeconds: 300, to: '' });
});

test('a script that only redirects names its target, another does not', () => {
  expect(facts('<script>window.location.replace("/new");</script>').scriptRedirect).toBe('/new');
  expect(facts('<script>const a = 1; if (a) location.href = "/new"</script>').scriptRedirect).toBe(null);
});

test('an empty mount point is seen, a filled one is not', () => {
  expect(facts('<div id=root> </div>').emptyMounts).toEqual(['root']);
  expect(facts('<div id="root"><p>x</p></div>').emptyMounts).toEqual([]);
});

test('passwords, frames, scripts, noscript and robots', () => {
  const { html, robotsMeta } = markupFacts(
    '<meta name="Robots" content="noindex"><input type="password"><frame src=x><script src=a></script>' +
      '<noscript>Please <b>enable</b> JavaScript</noscript>',
  );
  expect(html).toMatchObject({ passwordFields: 1, frames: 1, scripts: 1, noscriptText: 'Please enable JavaScript' });
  expect(robotsMeta).toEqual(['noindex']);
});

test('marks are found by name', () => {
  expect(facts('<script>window._cf_chl_opt={}</script>').marks).toEqual(['cloudflare-challenge']);
});

test.each([
  ['unclosed tags', '<p '.repeat(1_000_000)],
  ['bare brackets', '<'.repeat(3_000_000)],
  ['unclosed quotes', '<p a="'.repeat(500_000)],
  ['unclosed comments', '<!--'.repeat(700_000)],
  ['unclosed scripts', '<script>'.repeat(400_000)],
  ['meta tags', '<meta name=robots content=x '.repeat(100_000)],
])('3 MB of %s take linear time', (_name, html) => {
  const started = performance.now();
  markupFacts(html);
  expect(performance.now() - started).toBeLessThan(2000);
});
