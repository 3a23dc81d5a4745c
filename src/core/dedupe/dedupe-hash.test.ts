import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { computeDedupeHash, withRelativeLinks } from './dedupe-hash.ts';
import { workMs } from '../../../test/support/work-time.ts';

const rewritten = (text: string, page: string): string => withRelativeLinks(text, pageUrl(page));

test('links on the same origin are made relative to the folder of the page', () => {
  const page = 'https://x.dev/de/mod/dav.html';
  expect(rewritten('[a](https://x.dev/de/mod/core.html#limit)', page)).toBe('[a](core.html#limit)');
  expect(rewritten('[a](https://x.dev/de/howto/ssi.html)', page)).toBe('[a](../howto/ssi.html)');
  expect(rewritten('[a](https://x.dev/style.css)', page)).toBe('[a](../../style.css)');
  expect(rewritten('[a](https://x.dev/de/mod/dav.html#top) b', page)).toBe('[a](#top) b');
});

test('other origins, and URLs that are not link targets, stay', () => {
  const text = '[a](https://y.dev/de/x) and https://x.dev/de/y and `https://x.dev/de/z`';
  expect(rewritten(text, 'https://x.dev/de/a')).toBe(text);
});

test('a target with parentheses and one without an end are handled', () => {
  expect(rewritten('[a](https://x.dev/f(x).html) b', 'https://x.dev/')).toBe('[a](f(x).html) b');
  expect(rewritten('[a](https://x.dev/open', 'https://x.dev/')).toBe('[a](open');
});

test('a copy in another folder has the same hash; another text or target does not', () => {
  const page = (folder: string, text?: string) =>
    computeDedupeHash({
      url: pageUrl(`https://x.dev/${folder}/dav.html`),
      text: text ?? `See [core](https://x.dev/${folder}/core.html).`,
    });
  expect(page('de')).toBe(page('en'));
  expect(page('de', 'See another.')).not.toBe(page('en'));
  expect(page('de', 'See [core](https://x.dev/en/core.html).')).not.toBe(page('en'));
});

test('the URLs of a folder and of its index file are equal', () => {
  const text = '[a](https://x.dev/docs/start.html) [home](https://x.dev/docs/index.html) [up](https://x.dev/docs/#top)';
  const of = (url: string): string => computeDedupeHash({ url: pageUrl(url), text });
  expect(of('https://x.dev/docs/')).toBe(of('https://x.dev/docs/index.html'));
});

test('a text of nothing but link markers takes linear time', () => {
  const text = '](https://x.dev/'.repeat(100_000);
  expect(workMs(() => rewritten(text, 'https://x.dev/a/b'))).toBeLessThan(1000);
});
