import { expect, test } from 'vitest';
import { thinPageSignals, NO_SIGNALS } from './thin-page-signals.ts';
import { workMs } from '../../../../../test/support/work-time.ts';

test('the target of a script that only redirects is reported', () => {
  expect(thinPageSignals('<script>window.location.replace("/new");</script>').scriptRedirect).toBe('/new');
  expect(thinPageSignals('<script>const a = 1; if (a) location.href = "/new"</script>').scriptRedirect).toBe(null);
});

test('an empty mount point is reported, a filled one is not', () => {
  expect(thinPageSignals('<div id=root> </div>').emptyMounts).toEqual(['root']);
  expect(thinPageSignals('<div id="root"><p>x</p></div>').emptyMounts).toEqual([]);
});

test('frames are counted', () => {
  expect(thinPageSignals('<frameset><frame src=a><frame src=b></frameset>').frames).toBe(2);
});

test('the content of comments and scripts is ignored', () => {
  expect(thinPageSignals('<!-- <frame> --><script>"<div id=root></div>"</script><p title="<frame>">')).toEqual(
    NO_SIGNALS,
  );
});

test('interstitial markers are reported by name', () => {
  expect(thinPageSignals('<script>window._cf_chl_opt={}</script>').interstitialMarkers).toEqual([
    'cloudflare-challenge',
  ]);
});

test.each([
  ['unclosed tags', '<p '.repeat(1_000_000)],
  ['bare brackets', '<'.repeat(3_000_000)],
  ['unclosed quotes', '<p a="'.repeat(500_000)],
  ['unclosed comments', '<!--'.repeat(700_000)],
  ['unclosed scripts', '<script>'.repeat(400_000)],
  ['meta tags', '<meta name=robots content=x '.repeat(100_000)],
])('3 MB of %s take linear time', (_name, html) => {
  expect(workMs(() => thinPageSignals(html))).toBeLessThan(2000);
});
