import { expect, test } from 'vitest';
import { fileUrl } from '../files/file-url.ts';
import { packageTitle } from './package-title.ts';

function titleOf(path: string, headings: readonly string[], name: string): string {
  const outline = headings.map((text, at) => ({ level: at + 1, text, anchor: null, line: at + 1 }));
  return packageTitle({ url: fileUrl(path), title: headings[0] ?? '', outline }, name);
}

test.each([
  ['docs/Reference/Routes.md', ['Fastify', 'Routes'], 'fastify', 'Routes'],
  ['docs/Guides/Getting-Started.md', ['Fastify', 'Getting Started'], 'fastify', 'Getting Started'],
  ['docs/Reference/Server.md', ['Fastify', 'Factory'], 'fastify', 'Server'],
  ['docs/grid.md', ['Material', 'Grid'], '@mui/material', 'Grid'],
])(
  '%s, headed by the name of the package, is titled by the heading that its file is named for, or by the file',
  (...row) => {
    const [path, headings, name, title] = row;
    expect(titleOf(path, headings, name)).toBe(title);
  },
);

test.each([
  ['docs/03-ai-sdk-core/01-overview.mdx', 'Overview', 'ai', 'ai sdk core: Overview'],
  ['docs/overview.md', 'Overview', 'ai', 'ai: Overview'],
  ['readme.md', 'Features', 'execa', 'execa'],
])('the general title of %s names its subject', (path, heading, name, title) => {
  expect(titleOf(path, [heading], name)).toBe(title);
});

test('a README keeps its name, without badges', () => {
  const badge = 'Chokidar ![Weekly downloads](https://img.example/chokidar.svg)';
  expect(titleOf('README.md', [badge, 'Install'], 'chokidar')).toBe('Chokidar');
});

test('other titles stay', () => {
  expect(titleOf('docs/redaction.md', ['Redaction', 'Paths'], 'pino')).toBe('Redaction');
  expect(titleOf('docs/index.md', ['Fastify', 'Something else'], 'fastify')).toBe('Fastify');
});
