import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { isGeneratedIndex, isSourceView } from './generated-pages.ts';

function isView(path: string, title: string, heading = title): boolean {
  const outline = [{ level: 1, text: heading, anchor: null, line: 1 }];
  return isSourceView({ url: pageUrl(path, 'https://docs.test/'), title, outline });
}

test.each([
  ['Sphinx', '/_modules/django/db/models/query.html', 'django.db.models.query'],
  ['the reStructuredText of Sphinx', '/_sources/ref/settings.txt', 'Settings'],
  ['rustdoc', '/src/core/ops/try_trait.rs.html', 'try_trait.rs - source'],
  ['javadoc', '/api/java.base/java/net/class-use/Socket.html', 'Uses of Class java.net.Socket (Java SE 17 & JDK 17)'],
  ['javadoc for a package', '/api/java.base/java/net/package-use.html', 'Uses of Package java.net'],
  ['Doxygen', '/AVX_2Complex_8h_source.html', 'Eigen: Complex.h Source File'],
])('a source view of %s is recognized by its path', (_generator, path, title) => {
  expect(isView(path, title)).toBe(true);
});

test.each([
  ['Sphinx', 'django.db.models.query', 'Source code for django.db.models.query'],
  ['rustdoc', 'mod.rs - source', ''],
  ['JSDoc', 'JSDoc: Source: client.js', 'Source: client.js'],
  ['Doxygen', 'Eigen: Complex.h Source File', ''],
  ['javadoc', 'Uses of Interface java.util.Spliterator (Java SE 17 & JDK 17)', ''],
])('a source view of %s is recognized by its title at any path', (_generator, title, heading) => {
  expect(isView('/view/17', title, heading)).toBe(true);
});

test.each([
  ['/src/guide/intro.html', 'Introduction'],
  ['/api/java.base/java/net/Socket.html', 'Socket (Java SE 17 & JDK 17)'],
  ['/guides/open-source', 'Source code for beginners and experts'],
  ['/usage', 'Uses of class names in selectors'],
  ['/topics/node.js', 'Node.js'],
  ['/guides/node.js.html', 'Node.js'],
  ['/data_source.html', 'Data source'],
])('%s is documentation', (path, title) => expect(isView(path, title)).toBe(false));

test.each([
  ['/api/deprecated-list.html', true],
  ['/qtcore/qsettings-members.html', true],
  ['/genindex.html', true],
  ['/api/index-files/index-1.html', true],
  ['/guides/members.html', false],
  ['/std/index.html', false],
])('%s is a generated index: %s', (path, expected) => expect(isGeneratedIndex(path)).toBe(expected));
