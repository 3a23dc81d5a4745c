import { expect, test } from 'vitest';
import type { Link } from '../model/document.ts';
import { pageUrl, urlKey } from '../model/page-url.ts';
import { leadsTo } from './leads-to.ts';

const own = pageUrl('https://x.dev/guide/');

function link(href: string, inContent = true): Link {
  return { href, text: '', rel: [], inContent };
}

test('links of the text are kept once, without fragments; navigation, the page itself and other protocols are not', () => {
  const links = [
    link('https://x.dev/a#one'),
    link('https://x.dev/a#two'),
    link('https://x.dev/nav', false),
    link('https://x.dev/guide/#top'),
    link('mailto:a@x.dev'),
    link('https://y.dev/b'),
  ];
  expect(leadsTo({ url: own, links })).toEqual(
    ['https://x.dev/a', 'https://y.dev/b'].map((url) => urlKey(pageUrl(url))),
  );
});

test('a page of a million links keeps some of them', () => {
  const links = Array.from({ length: 2000 }, (_, n) => link(`https://x.dev/${n}`));
  expect(leadsTo({ url: own, links })).toHaveLength(500);
});
