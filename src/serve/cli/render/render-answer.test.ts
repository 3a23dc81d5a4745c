import { expect, test } from 'vitest';
import { renderResult } from './render-answer.ts';

test('a webhook that accepted its test message works', () => {
  const result = { name: 'hooks', isAccepted: true, detail: 'it answered 200' };
  expect(renderResult('test_webhook', result)).toBe('hooks works: it answered 200.\n');
  expect(renderResult('test_webhook', { ...result, isAccepted: false })).toMatch(/^hooks does not work/);
});

test('a preview counts the links in the text', () => {
  const links = [true, true, false].map((isInContent, at) => ({ url: `https://x.dev/${at}`, text: 'a', isInContent }));
  const page = { url: 'https://x.dev/', mediaType: 'text/html', title: 'X', description: null, language: null };
  const rest = { verdict: 'content', pageKind: 'article', extractor: 'html@5', text: '# X', chunks: 1, outline: [] };
  expect(renderResult('preview_page', { ...page, ...rest, links })).toContain('2 in the text, 1 outside it');
});

test('an action without its own rendering gets the default one', () => {
  expect(renderResult('count_sources', { totalSources: 2 })).toBe('total sources  2\n');
});
