import { expect, test } from 'vitest';
import { fileKindOf } from './file-kind.ts';

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
