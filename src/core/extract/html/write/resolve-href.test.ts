import { expect, test } from 'vitest';
import { createHrefResolver } from './resolve-href.ts';

test.each([
  [undefined, 'https://x.dev/docs/b'],
  ['/v2/', 'https://x.dev/v2/b'],
  [' https://cdn.dev/b/ ', 'https://cdn.dev/b/b'],
  ['javascript:1', 'https://x.dev/docs/b'],
  ['data:text/html,x', 'https://x.dev/docs/b'],
  ['file:///etc/', 'https://x.dev/docs/b'],
])('on a web page with the base href %s, links resolve to %s', (base, resolved) => {
  expect(createHrefResolver('https://x.dev/docs/a', base)('b')).toBe(resolved);
});

test('on a page of a folder, a base may be another folder', () => {
  expect(createHrefResolver('file:///docs/a.html', 'file:///docs/v2/')('b.html')).toBe('file:///docs/v2/b.html');
});

test('links to scripts, mail and data, and from the web to files, are not pages', () => {
  const resolve = createHrefResolver('https://x.dev/docs/a', undefined);
  for (const href of ['javascript:1', 'mailto:a@x.dev', 'data:text/html,x', 'file:///etc/passwd'])
    expect(resolve(href)).toBeNull();
});
