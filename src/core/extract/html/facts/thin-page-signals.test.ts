import { expect, test } from 'vitest';
import { htmlSigns, NO_SIGNS } from './thin-page-signals.ts';

test('a script that only redirects names its target, another does not', () => {
  expect(htmlSigns('<script>window.location.replace("/new");</script>').scriptRedirect).toBe('/new');
  expect(htmlSigns('<script>const a = 1; if (a) location.href = "/new"</script>').scriptRedirect).toBe(null);
});

test('an empty mount point is seen, a filled one is not', () => {
  expect(htmlSigns('<div id=root> </div>').emptyMounts).toEqual(['root']);
  expect(htmlSigns('<div id="root"><p>x</p></div>').emptyMounts).toEqual([]);
});

test('frames are counted', () => {
  expect(htmlSigns('<frameset><frame src=a><frame src=b></frameset>').frames).toBe(2);
});

test('what a comment or a script holds is no sign', () => {
  expect(htmlSigns('<!-- <frame> --><script>"<div id=root></div>"</script><p title="<frame>">')).toEqual(NO_SIGNS);
});

test('marks are found by name', () => {
  expect(htmlSigns('<script>window._cf_chl_opt={}</script>').marks).toEqual(['cloudflare-challenge']);
});

test.each([
  ['unclosed tags', '<p '.repeat(1_000_000)],
  ['bare brackets', '<'.repeat(3_000_000)],
  ['unclosed quotes', '<p a="'.repeat(500_000)],
  ['unclosed comments', '<!--'.repeat(700_000)],
  ['unclosed scripts', '<script>'.repeat(400_000)],
  ['meta tags', '<meta name=robots content=x '.repeat(100_000)],
])('3 MB of %s take linear time', (_name, html) => {
  const started = process.hrtime.bigint();
  htmlSigns(html);
  expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(2000);
});
