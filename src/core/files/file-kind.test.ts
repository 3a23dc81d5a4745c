import { expect, test } from 'vitest';
import { portableExtractors } from '../../formats/formats.ts';
import type { DocumentFormat } from '../model/document.ts';
import { pageUrl } from '../model/page-url.ts';
import { fileKind, fileKindOf, fileMediaType } from './file-kind.ts';

/** What the text of such a file may be extracted as. An OpenAPI document and a notebook become Markdown. */
const FORMATS: Readonly<Record<string, readonly DocumentFormat[]>> = {
  json: ['json', 'markdown'],
  yaml: ['yaml', 'markdown'],
  'code-file': ['code'],
  'plain-text': ['text'],
  image: ['image'],
};

test('a file has the same kind in a bundle and in a search, whatever its text was extracted as', () => {
  const different: string[] = [];
  const extensions = portableExtractors.flatMap((one) =>
    one.extensions.map((extension) => [one.name, extension] as const),
  );
  expect(extensions.length).toBeGreaterThan(60);
  for (const [name, extension] of [...extensions, ['pdf', 'pdf'], ['man', '3'], ['man', '3bsd']] as const) {
    for (const format of FORMATS[name] ?? ['markdown']) {
      const path = `guide/file.${extension}`;
      const mediaType = fileMediaType(format, pageUrl(`file:///${path}`));
      const [inBundle, inSearch] = [fileKind(path, mediaType), fileKindOf(mediaType)];
      if (inBundle !== inSearch) different.push(`${extension} as ${format}: ${inBundle}, ${inSearch}`);
    }
  }
  expect(different).toEqual([]);
});

test.each([
  ['text/html; charset=utf-8', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['TEXT/X-Markdown;charset=UTF-8', 'markdown'],
  ['application/json', 'json'],
  ['application/openapi+json', 'json'],
  ['application/javascript', 'java_script'],
  ['text/x-python', 'text'],
  ['application/openapi+yaml', 'text'],
  ['image/svg+xml', 'image'],
  ['application/octet-stream', 'unknown'],
  ['', 'unknown'],
])('%s is %s', (mediaType, kind) => {
  expect(fileKindOf(mediaType)).toBe(kind);
});
