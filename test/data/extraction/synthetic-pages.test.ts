// Pages built with VitePress, Starlight and Docusaurus keep all code blocks, headings and words.

import { describe, expect, test } from 'vitest';
import { openOurs } from '../../../bench/extract/extraction-ours.ts';
import { scorePage } from './score.ts';
import { syntheticPages } from './synthetic-pages.ts';

const ours = await openOurs();
if (ours === null) throw new Error('there is no extractor of HTML');

describe.each(syntheticPages())('$name', ({ html, expected, truth, url }) => {
  test('the HTML contains all expected code and headings', () => {
    const text = html.replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>/g, '');
    const flat = squeeze(decodeEntities(text));
    for (const { texts } of truth.codes) expect(flat).toContain(squeeze(texts[0] ?? ''));
    for (const { text: heading } of truth.headings) expect(flat).toContain(squeeze(heading));
    expect(scorePage(truth, expected).codesExact).toBe(truth.codes.length);
  });

  test('code, languages and headings are extracted exactly', () => {
    const score = scorePage(truth, ours(url, html));
    expect(score.codesExact).toBe(score.codes);
    expect(score.languagesKept).toBe(score.languages);
    expect(score.headingsAtLevel).toBe(score.headings);
  });

  test('at least 98 % of the words are extracted, with few others', () => {
    const score = scorePage(truth, ours(url, html));
    expect(score.wordsFound / score.wordsWanted).toBeGreaterThanOrEqual(0.98);
    expect(score.wordsRight / score.wordsWritten).toBeGreaterThanOrEqual(0.98);
  });
});

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function decodeEntities(text: string): string {
  return text
    .replaceAll(/&#(?:x27|39);/g, "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
