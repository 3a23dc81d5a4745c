import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { createExtractorRegistry } from './extractor-registry.ts';
import type { Extraction, RawPage } from './extractor.ts';
import { extractors } from './extractors.ts';

const registry = createExtractorRegistry(extractors);

const page = (name: string, body: string | Uint8Array, mediaType: string | null = null): RawPage => ({
  url: pageUrl(`https://docs.test/${name}`),
  mediaType,
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
});
const chosen = (name: string, body: string | Uint8Array, mediaType: string | null = null) =>
  registry.choose(page(name, body, mediaType)).name;
const extract = (name: string, body: string, mediaType: string | null = null): Extraction =>
  registry.extract(page(name, body, mediaType));

test.each([
  ['the media type first', 'a.txt', '# x', 'text/markdown; charset=utf-8', 'markdown'],
  ['the extension if the type is generic', 'a.md', 'x', 'text/plain', 'markdown'],
  ['the extension of a file', 'src/main.rs', 'fn main() {}', null, 'code-file'],
  ['the content of a page without either', 'a', '<!doctype html><p>x', null, 'html'],
  ['content that is JSON', 'a', '{"a": 1}', null, 'json'],
  ['content that is Markdown', 'a', '# Title\n\ntext', 'text/plain', 'markdown'],
  ['plain text for all other text', 'a', 'hello', 'text/plain', 'plain-text'],
  ['HTML declared as Markdown', 'a.md', '<!DOCTYPE html>\n<html><body>x', 'text/markdown', 'html'],
  ['OpenAPI inside JSON', 'api.json', '{"openapi": "3.1.0", "paths": {}}', 'application/json', 'openapi'],
  ['a notebook inside JSON', 'a', '{"cells": [{"cell_type": "code"}]}', 'application/json', 'notebook'],
  ['a vendor JSON type', 'a', '{"a": 1}', 'application/problem+json', 'json'],
  ['an image declared as one', 'logo.png', '\u0089PNG', 'image/png', 'image'],
])('%s decides', (...[, name, body, mediaType, extractor]) => {
  const octets = Uint8Array.from(body, (letter) => letter.charCodeAt(0));
  expect(chosen(name, octets, mediaType)).toBe(extractor);
});

test.each([
  ['a PDF declared as HTML', 'a.html', '%PDF-1.7', 'text/html'],
  ['an image declared as HTML', 'a', 'GIF89a', 'text/html'],
  ['a type without an extractor', 'a', 'x', 'application/vnd.ms-excel'],
  ['binary content without a type', 'a', 'a\0b', 'application/octet-stream'],
])('%s is unsupported', (...[, name, body, mediaType]) => {
  expect(() => chosen(name, body, mediaType)).toThrow(expect.objectContaining({ code: 'extract.unsupported' }));
});

test('conflicting claims of two extractors fail at startup', () => {
  const [first] = extractors;
  expect(() => createExtractorRegistry([first!, { ...first!, name: 'other' }])).toThrow('both claim');
  expect(() => createExtractorRegistry([first!, { ...first!, mediaTypes: [], extensions: [] }])).toThrow(
    'share a name',
  );
});

test('a notebook becomes prose and fences, without outputs', () => {
  const book = {
    cells: [
      { cell_type: 'markdown', source: ['# Title\n', 'Some *text*.'] },
      { cell_type: 'code', source: 'print("```")\n', outputs: [{ text: 'secret output' }] },
      { cell_type: 'code', source: [] },
    ],
    metadata: { kernelspec: { language: 'python' } },
  };
  const { document } = extract('a.ipynb', JSON.stringify(book));
  expect(document.text).toBe('# Title\nSome *text*.\n\n````python\nprint("```")\n````\n');
  expect(document.title).toBe('Title');
});

test('a notebook without cells is malformed', () => {
  expect(() => extract('a.ipynb', '{"cells": 1}')).toThrow(expect.objectContaining({ code: 'extract.malformed' }));
});

test('JSON stays as written, and invalid JSON is text', () => {
  expect(extract('a.json', '{"title": "T", "n": 1.0}').document).toMatchObject({
    format: 'json',
    title: 'T',
    text: '{"title": "T", "n": 1.0}\n',
  });
  expect(extract('a.json', '// comment\n{}').document.format).toBe('text');
});

test('each operation and each schema is a section', () => {
  const api = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '2' },
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
        get: {
          summary: 'Find a pet',
          operationId: 'getPet',
          description: 'Long.\n\n# Not a section',
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string', description: 'Its name' } } },
      },
    },
  };
  const { document } = extract('openapi.json', JSON.stringify(api));
  expect(document).toMatchObject({ format: 'markdown', title: 'Pets 2' });
  expect(document.outline.map(({ level, text }) => `${level} ${text}`)).toEqual([
    '1 Pets 2',
    '2 GET /pets/{id}',
    '2 Schema Pet',
  ]);
  expect(document.text).toContain('- `id` (`integer` (int64), required) *in path*');
  expect(document.text).toContain('- `200`: ok\n  - `application/json`: `Pet`');
  expect(document.text).toContain('- `name` (`string`, required): Its name');
});

test('OpenAPI in YAML is read like OpenAPI in JSON', () => {
  const yaml =
    '# comment\nopenapi: 3.1.0\ninfo:\n  version: 1.10\n  title: "Pets"\npaths:\n  /pets:\n    get: &read\n      summary: List pets\n      responses:\n        200: { description: All of them }\n    head: *read\n';
  const { document } = extract('api.yaml', yaml);
  expect(document).toMatchObject({ format: 'markdown', title: 'Pets 1.10' });
  expect(document.text).toContain(
    '## GET /pets\n\nList pets\n\n**Responses**\n\n- `200`: All of them\n\n## HEAD /pets',
  );
});

test('YAML that is not valid, or not OpenAPI, is kept as written', () => {
  const invalid = 'openapi: 3.1.0\ninfo: { title\n';
  expect(extract('api.yaml', invalid).document).toMatchObject({ format: 'yaml', text: invalid });
  const bomb = Array.from(
    { length: 12 },
    (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1},*a${n - 1},*a${n - 1}`}]\n`,
  );
  const hostile = `openapi: 3.1.0\n${bomb.join('')}`;
  expect(extract('api.yaml', hostile).document).toMatchObject({ format: 'yaml', text: hostile });
  expect(extract('other.yaml', 'a: 1\n').document).toMatchObject({ format: 'yaml' });
});

test('Swagger is supported', () => {
  const api = {
    swagger: '2.0',
    host: 'x.test',
    basePath: '/v1',
    paths: { '/a': { post: { parameters: [{ name: 'q', in: 'query', type: 'string' }], responses: {} } } },
    definitions: { A: { type: 'string', enum: ['x', 'y'] } },
  };
  const { text } = extract('swagger.json', JSON.stringify(api)).document;
  expect(text).toContain('Server: `x.test/v1`');
  expect(text).toContain('- `q` (`string`) *in query*');
  expect(text).toContain('Type: `string` one of `"x"`, `"y"`');
});

test('source files keep their text and get a language', () => {
  expect(extract('a/main.py', 'x = 1  \r\n').document).toMatchObject({
    format: 'code',
    codeLanguage: 'python',
    text: 'x = 1  \n',
    title: 'main.py',
  });
  expect(extract('a/Dockerfile', 'FROM x').document.codeLanguage).toBe('dockerfile');
  expect(extract('a/CMakeLists.txt', 'project(x)').document.codeLanguage).toBe('cmake');
});

test('plain text has a title, links and no overstrikes', () => {
  const { document } = extract('ls.txt', 'N\bNA\bAM\bME\bE\n\n  ls  \n\nSee https://x.test/a.\n');
  expect(document).toMatchObject({ format: 'text', title: 'NAME', text: 'NAME\n\n  ls\n\nSee https://x.test/a.\n' });
  expect(document.links.map(({ href }) => href)).toEqual(['https://x.test/a']);
});

test('the text of an image is its name', () => {
  const { document } = registry.extract(
    page('img/loginFlow-v2.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2), 'image/png'),
  );
  expect(document.text).toBe('loginFlow-v2.png\nlogin Flow v2\n');
});

test('[F7] a page in another charset becomes UTF-8', () => {
  const { document } = registry.extract(
    page('a.txt', Uint8Array.of(0x63, 0x61, 0x66, 0xe9), 'text/plain; charset=iso-8859-1'),
  );
  expect(document.text).toBe('café\n');
});

const HIDDEN = '\0\u001B[31m\u202E\u200B\u{E0041}';
const escaped = JSON.stringify(HIDDEN).slice(1, -1);

test.each([
  [
    'an OpenAPI title and summary',
    'a.json',
    `{"openapi": "3.1.0", "info": {"title": "A${escaped}B", "summary": "A${escaped}B"}}`,
  ],
  ['a JSON title', 'a.json', `{"title": "A${escaped}B"}`],
  ['a notebook title', 'a.ipynb', `{"cells": [], "metadata": {"title": "A${escaped}B"}}`],
  ['the front matter of Markdown', 'a.md', `---\ntitle: A${HIDDEN}B\ndescription: A${HIDDEN}B\n---\n`],
  [
    'a title and a description in HTML',
    'a.html',
    `<title>A${HIDDEN}B</title><meta name="description" content="A${HIDDEN}B">`,
  ],
  ['the file name of a page', encodeURIComponent(`A${HIDDEN}B`), '{}'],
])('no hidden characters are left in %s (finding B11)', (_, name, body) => {
  const { document } = extract(name, body);
  expect(document.title).toBe('AB');
  expect(['AB', null]).toContain(document.description);
});

test('attributes of an HTML page have no hidden characters (finding B11)', () => {
  const html =
    '<html lang="en&#x202e;"><main><h2 id="a&#x202e;b">Title</h2><p>See <img alt="the &#x202e;logo&#xe0041;" src="a.png"> here.</p></main>';
  const { document } = extract('a.html', html);
  expect(document.language).toBe('en');
  expect(document.outline.map(({ anchor }) => anchor)).toEqual(['ab']);
  expect(document.text).toContain('the logo');
});

test('zero-width characters are removed from code in HTML as in Markdown', () => {
  const html = extract('a.html', '<main><pre>pass\u200Bword</pre></main>').document;
  const markdown = extract('a.md', '```\npass\u200Bword\n```\n').document;
  expect(html.text).toBe(markdown.text);
});
