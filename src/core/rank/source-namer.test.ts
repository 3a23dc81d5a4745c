import { expect, test } from 'vitest';
import { createSourceNamer } from './source-namer.ts';

const names = ['postgres', 'nextjs', 'node', 'git', 'aisdk', 'go'];

test.each([
  ['how to create a partial index in postgres', ['postgres']],
  ['PostgreSQL partial index?', ['postgres']],
  ['next.js middleware', ['nextjs']],
  ['the next page', []],
  ['nodejs streams', ['node']],
  ['AI SDK tools', ['aisdk']],
  ['digit grouping', []],
  ['gitignore patterns', []],
  ['go on', []],
])('%s names %j', (query, expected) => {
  expect(names.filter(createSourceNamer(query))).toEqual(expected);
});

const packages = [
  'npm:fastify',
  'npm:@mui/material',
  'npm:@types/node',
  'npm:@reduxjs/toolkit',
  'go:github.com/go-chi/chi/v5',
  'pypi:attrs',
];

test.each([
  ['fastify body limit', ['npm:fastify']],
  ['material ui autocomplete', ['npm:@mui/material']],
  ['mui grid', ['npm:@mui/material']],
  ['@mui/material grid', ['npm:@mui/material']],
  ['read a file in node', ['npm:@types/node']],
  ['redux toolkit slices', ['npm:@reduxjs/toolkit']],
  ['chi middleware', ['go:github.com/go-chi/chi/v5']],
  ['attrs validators', ['pypi:attrs']],
  ['npm types', []],
  ['github', []],
])('%s names the packages %j', (query, expected) => {
  expect(packages.filter(createSourceNamer(query))).toEqual(expected);
});
