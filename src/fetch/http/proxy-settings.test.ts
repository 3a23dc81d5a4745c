import { expect, test } from 'vitest';
import { proxySettings } from './proxy-settings.ts';

const through = (url: string, env: Record<string, string>): string | null =>
  proxySettings(env)?.proxyFor(new URL(url)) ?? null;

test('without variables there is no proxy', () => {
  expect(proxySettings({})).toBeNull();
  expect(proxySettings({ HTTP_PROXY: '', NO_PROXY: 'x' })).toBeNull();
});

test('each scheme has its own proxy; https uses that of http if it has none', () => {
  const env = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'https://q:2' };
  expect(through('http://x.dev/', env)).toBe('http://p:1/');
  expect(through('https://x.dev/', env)).toBe('https://q:2/');
  expect(through('https://x.dev/', { http_proxy: 'p:1' })).toBe('http://p:1/');
  expect(through('http://x.dev/', { https_proxy: 'http://q:2' })).toBeNull();
});

test('the lower-case variable wins', () => {
  expect(through('http://x.dev/', { http_proxy: 'http://low:1', HTTP_PROXY: 'http://up:1' })).toBe('http://low:1/');
});

test.each([
  ['x.dev', 'http://x.dev/', true],
  ['x.dev', 'http://docs.x.dev/', true],
  ['.x.dev', 'http://docs.x.dev/', true],
  ['*.x.dev', 'http://docs.x.dev/', true],
  ['x.dev', 'http://notx.dev/', false],
  ['X.DEV', 'http://x.dev/', true],
  ['a, x.dev b', 'http://x.dev/', true],
  ['*', 'http://x.dev/', true],
  ['x.dev:8080', 'http://x.dev:8080/', true],
  ['x.dev:8080', 'http://x.dev/', false],
  ['x.dev:80', 'http://x.dev/', true],
  ['10.0.0.0/8', 'http://10.1.2.3/', true],
  ['10.0.0.0/8', 'http://11.1.2.3/', false],
  ['10.1.2.3', 'http://10.1.2.3:99/', true],
  ['::1', 'http://[::1]/', true],
  ['[::1]:80', 'http://[::1]/', true],
  ['', 'http://x.dev/', false],
])('NO_PROXY=%s and %s: direct is %s', (no_proxy, url, direct) => {
  expect(through(url, { http_proxy: 'http://p:1', no_proxy }) === null).toBe(direct);
});

test.each(['socks5://p:1', 'ftp://p', 'http://'])('%s is refused when the program starts', (url) => {
  expect(() => proxySettings({ HTTP_PROXY: url })).toThrow('HTTP_PROXY');
});
