import { expect, test } from 'vitest';
import { repositoryUrl } from './repository-url.ts';

test.each([
  ['https://github.com/fastify/fastify', 'git+https://github.com/fastify/fastify'],
  ['https://www.github.com/o/r.git', 'git+https://github.com/o/r'],
  ['https://github.com/o/r/tree/main/docs/guides', 'git+https://github.com/o/r#main:docs/guides'],
  ['https://github.com/o/r/blob/v2/docs/a.md', 'git+https://github.com/o/r#v2:docs'],
  ['https://gitlab.com/group/sub/r/-/tree/v2/docs', 'git+https://gitlab.com/group/sub/r#v2:docs'],
  ['https://www.npmjs.com/package/@types/node/v/20.1.0', 'npm:@types/node@20.1.0'],
  ['https://www.npmjs.com/package/zod', 'npm:zod'],
])('%s is a repository or a package (finding T17)', (url, source) => {
  expect(repositoryUrl(url)).toMatchObject({ source });
});

test.each([
  'https://github.com/o/r/wiki',
  'https://github.com/topics/crawler',
  'https://github.com/o',
  'https://o.github.io/r/',
  'https://gitlab.com/help',
  'https://gitlab.com/group/r/-/releases',
  'https://docs.npmjs.com/cli',
])('%s is crawled as a site (finding T17)', (url) => {
  expect(repositoryUrl(url)).toBeNull();
});
