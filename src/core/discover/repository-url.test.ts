import { expect, test } from 'vitest';
import { repositoryUrl } from './repository-url.ts';

test.each([
  ['https://github.com/fastify/fastify', 'https://github.com/fastify/fastify.git', 'fastify'],
  ['https://www.github.com/o/r.git', 'https://github.com/o/r.git', 'r'],
  ['https://github.com/o/r/tree/main/docs/guides', 'https://github.com/o/r.git', 'r/docs/guides'],
  ['https://gitlab.com/group/sub/r/-/tree/v2/docs', 'https://gitlab.com/group/sub/r.git', 'r/docs'],
  ['https://www.npmjs.com/package/@types/node/v/20.1.0', '@types/node', 'node_modules/@types/node'],
])('%s is a repository or a package (finding T17)', (url, target, folder) => {
  expect(repositoryUrl(url)).toMatchObject({ target, folder });
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
