import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { redirectVerdict } from './redirect-verdict.ts';

const from = pageUrl('https://x.dev/a');
const chain = (...urls: string[]) => ({ seen: new Set(urls.map((url) => pageUrl(url))), maxRedirects: 2 });

test('a redirect to another web page is followed', () => {
  const to = pageUrl('https://y.dev/b');
  expect(redirectVerdict(from, to, chain(from))).toEqual({ follow: true, to });
});

test('a redirect without target, in a loop, or beyond the limit is not followed', () => {
  const to = pageUrl('https://x.dev/b');
  expect(redirectVerdict(from, null, chain(from))).toMatchObject({ reason: 'no-target' });
  expect(redirectVerdict(from, from, chain(from))).toMatchObject({ reason: 'loop' });
  expect(redirectVerdict(from, to, chain('https://x.dev/1', 'https://x.dev/2', from))).toMatchObject({
    reason: 'too-many',
    rule: 'more than 2 redirects',
  });
});

test('a downgrade from https to http is not followed, an upgrade is', () => {
  const open = pageUrl('http://x.dev/a');
  expect(redirectVerdict(from, open, chain(from))).toMatchObject({ follow: false, reason: 'downgrade' });
  expect(redirectVerdict(open, from, chain(open))).toMatchObject({ follow: true });
});
