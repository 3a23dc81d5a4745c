import { expect, test } from 'vitest';
import { isListing, isRelease } from './path-roles.ts';

test.each([
  '/src/core/ops/try_trait.rs.html',
  '/_modules/django/db/models/query.html',
  '/api/java.base/java/net/class-use/Socket.html',
  '/api/deprecated-list.html',
  '/qtcore/qsettings-members.html',
  '/genindex.html',
])('%s is a listing', (path) => expect(isListing(path)).toBe(true));

test.each(['/src/guide/intro.html', '/api/java.base/java/net/Socket.html', '/guides/members.html', '/std/index.html'])(
  '%s is none',
  (path) => expect(isListing(path)).toBe(false),
);

test.each(['/whatsnew/3.8.html', '/changelog', '/release-15.html'])('%s is a list of changes', (path) =>
  expect(isRelease(path)).toBe(true),
);

test('a page whose name only begins alike is no list of changes', () => {
  expect(isRelease('/newsletter.html')).toBe(false);
});
