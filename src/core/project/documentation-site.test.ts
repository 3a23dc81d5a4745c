import { expect, test } from 'vitest';
import { documentationSite, siteUrl } from './documentation-site.ts';

test.each([
  ['npm', '{"homepage":"https://kettle.example/docs#readme"}', 'https://kettle.example/docs'],
  ['npm', '{"homepage":"https://github.com/kettle/kettle#readme"}', null],
  ['npm', '{"homepage":"https://www.npmjs.com/package/kettle"}', null],
  ['npm', '{"homepage":{"url":"https://kettle.example"}}', null],
  ['npm', '{"homepage":"file:///etc/passwd"}', null],
  ['npm', 'not JSON', null],
  [
    'rust',
    '[package]\nhomepage = "https://a.example"\ndocumentation = "https://docs.rs/kettle"\n',
    'https://docs.rs/kettle',
  ],
  [
    'rust',
    '[package]\nhomepage = "https://a.example"\ndocumentation = "https://crates.io/crates/kettle"\n',
    'https://a.example/',
  ],
  [
    'python',
    'Name: kettle\nHome-page: https://kettle.example\nProject-URL: Source, https://x.example\nProject-URL: Documentation, https://kettle.example/docs/\n\nProject-URL: Documentation, https://other.example\n',
    'https://kettle.example/docs/',
  ],
  ['python', 'Name: kettle\nHome-page: https://kettle.example\n', 'https://kettle.example/'],
  ['python', 'Name: kettle\n\nHome-page: https://kettle.example\n', null],
  ['go', 'module https://kettle.example', null],
] as const)('%s: %s names %s', (ecosystem, manifest, site) => {
  expect(documentationSite(ecosystem, manifest)).toBe(site);
});

test('addresses that are no site, too long or have credentials are not taken as they are', () => {
  for (const url of [
    'javascript:alert(1)',
    'ftp://a.example/',
    '',
    ' ',
    'kettle.example',
    `https://a.example/${'x'.repeat(600)}`,
  ])
    expect(siteUrl(url)).toBeNull();
  expect(siteUrl('https://user:password@a.example/docs')).toBe('https://a.example/docs');
});
