import { expect, test } from 'vitest';
import { NO_METADATA, type HtmlMetadata, type ThinPageSignals } from '../extract/extractor.ts';
import { NO_SIGNALS } from '../extract/html/metadata/thin-page-signals.ts';
import type { Document } from '../model/document.ts';
import { pageUrl } from '../model/page-url.ts';
import { describeVerdict, pageVerdict, type ClassifiedPage } from './page-verdict.ts';

const NO_MARKUP: HtmlMetadata = {
  visibleTextLength: 100,
  noscriptText: '',
  scripts: 0,
  hasPasswordField: false,
  refresh: null,
  generator: null,
  markdownAlternate: null,
  thinPageSignals: NO_SIGNALS,
};

const signs = (some: Partial<ThinPageSignals>): Partial<HtmlMetadata> => ({
  thinPageSignals: { ...NO_SIGNALS, ...some },
});

function aPage(title: string, text: string, html: Partial<HtmlMetadata> = {}): ClassifiedPage {
  const document: Document = {
    url: pageUrl('https://docs.test/a'),
    format: 'markdown',
    title,
    description: null,
    language: null,
    codeLanguage: null,
    canonical: null,
    text,
    outline: [],
    links: [],
  };
  return { document, metadata: { ...NO_METADATA, html: { ...NO_MARKUP, ...html } } };
}

const LONG = 'A sentence about something that matters to the reader. '.repeat(40);

test.each([
  [
    'a Cloudflare interstitial',
    aPage('Just a moment...', 'Checking.\n', signs({ interstitialMarkers: ['cloudflare-challenge'] })),
    'challenge',
  ],
  ['a bot check by its title', aPage("Making sure you're not a bot!", 'Loading...\n'), 'challenge'],
  ['a login by its password field', aPage('Sign in', 'Email\n', { hasPasswordField: true }), 'login'],
  ['a consent wall', aPage('Before you continue', 'We use cookies. Accept all or reject all.\n'), 'consent'],
  ['an error that says 200', aPage('Page not found', 'The page does not exist.\n'), 'soft-404'],
  ['an error with a site name', aPage('404 Not Found | Acme Docs', 'Try the search.\n'), 'soft-404'],
  ['a meta refresh', aPage('x', 'Redirecting\n', { refresh: { seconds: 0, url: '/b' } }), 'redirect-stub'],
  ['a redirect by script', aPage('x', 'Redirecting\n', signs({ scriptRedirect: 'b.html' })), 'redirect-stub'],
  ['an empty shell', aPage('App', '\n', { scripts: 1, ...signs({ emptyMounts: ['root'] }) }), 'needs-rendering'],
  [
    'a page that asks for JavaScript',
    aPage('App', '\n', { scripts: 2, noscriptText: 'Please enable JavaScript.' }),
    'needs-rendering',
  ],
  ['a frameset', aPage('Docs', '\n', signs({ frames: 2 })), 'near-empty'],
  ['a page without words', aPage('Docs', '# Docs\n'), 'near-empty'],
])('%s is not content', (_name, page, reason) => {
  expect(pageVerdict(page)).toMatchObject({ kind: 'not-content', reason });
});

test.each([
  ['a guide about logging in', aPage('Log in', LONG)],
  ['a reference of the status 404', aPage('404 Not Found', LONG)],
  ['a page about cookies', aPage('Cookies', 'Cookies are sent back. You may accept or reject them.\n')],
  ['a short page that names its code', aPage('Not found', '```js\nnotFound()\n```\n')],
  ['a guide with a live password field', aPage('Forms', LONG, { hasPasswordField: true })],
  ['a long page that reloads itself', aPage('Status', LONG, { refresh: { seconds: 5, url: '/other' } })],
  ['a page with one sentence', aPage('Foo', 'Returns the number of items.\n')],
  ['a short page in Chinese', aPage('安装', '运行安装程序即可\n')],
])('%s is content', (_name, page) => {
  expect(pageVerdict(page)).toEqual({ kind: 'content' });
});

test('an image is not a page of a site, whatever its URL says (finding T27)', () => {
  const { document, metadata } = aPage('logo', 'logo\nlogo\n');
  const ofUrl = (url: string) =>
    pageVerdict({ document: { ...document, url: pageUrl(url), format: 'image' }, metadata }).kind;
  expect([ofUrl('https://docs.test/logo'), ofUrl('file:///docs/logo.png')]).toEqual(['not-content', 'content']);
});

test('a redirect names its absolute target', () => {
  const page = aPage('x', '', { refresh: { seconds: 0, url: '../b/c.html#d' } });
  expect(pageVerdict(page)).toMatchObject({ to: 'https://docs.test/b/c.html' });
});

test('a redirect to an invalid target or to itself does not count', () => {
  expect(
    pageVerdict(aPage('x', 'Some five words are here.', { refresh: { seconds: 0, url: 'javascript:x' } })),
  ).toEqual({
    kind: 'content',
  });
  expect(pageVerdict(aPage('x', 'Some five words are here.', { refresh: { seconds: 0, url: '/a' } }))).toEqual({
    kind: 'content',
  });
});

test('the header of a bot protection is sufficient', () => {
  expect(pageVerdict({ ...aPage('Docs', 'Hello there.'), headers: { 'cf-mitigated': 'challenge' } })).toMatchObject({
    rule: 'challenge/header-cf-mitigated',
  });
});

test('a verdict is described in words', () => {
  const reported = (reason: 'near-empty' | 'login', rule: string): string =>
    describeVerdict({ kind: 'not-content', reason, rule: `${reason}/${rule}` });
  expect(reported('near-empty', 'blank')).toBe('it has no text');
  expect(reported('near-empty', 'few-words')).toBe('it has hardly any text');
  expect(reported('login', 'title')).toBe('it is a login form');
});
