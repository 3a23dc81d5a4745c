import { expect, test } from 'vitest';
import { keyPhrases, phraseCandidates } from './key-phrases.ts';

const SENTENCE = 'A connection pool keeps each connection open, and the pool size limits how many there are. ';
const TEXT = `# Pools\n\n${SENTENCE.repeat(6)}\n\n\`\`\`sh\n${'secret code '.repeat(40)}\n\`\`\`\n\n## Idle timeout\n\nThe idle timeout ends it. See [the manual](https://x.dev/manual_page_here).\n`;
const PAGE = { title: 'Connection pools', text: TEXT };
const phrasesOf = (page: typeof PAGE, frequencies: Record<string, number> = {}) =>
  keyPhrases(phraseCandidates(page), { chunks: 500, frequencyOf: (term) => frequencies[term] ?? 4 });

test('the same page gives the same ten phrases at most, the best first', () => {
  const phrases = phrasesOf(PAGE);
  expect(phrasesOf(PAGE)).toEqual(phrases);
  expect(phrases.length).toBeLessThanOrEqual(10);
  expect(phrases.map(({ score }) => score)).toEqual(phrases.map(({ score }) => score).toSorted((a, b) => b - a));
  expect(phrases.find(({ phrase }) => phrase === 'connection pool')).toMatchObject({ count: 7 });
  expect(phrases.map(({ phrase }) => phrase)).toContain('idle timeout');
});

test('code, addresses, stop words and what crosses punctuation are no phrases', () => {
  const text = phrasesOf(PAGE)
    .map(({ phrase }) => phrase)
    .join(' | ');
  for (const absent of ['secret', 'manual_page_here', 'open pool', ' and ']) expect(text).not.toContain(absent);
});

test('a word that is nearly always part of a phrase is not a phrase of its own', () => {
  expect(phrasesOf(PAGE).map(({ phrase }) => phrase)).not.toContain('size');
});

test('a phrase that is rare in the source counts more', () => {
  const score = (frequency: number) =>
    phrasesOf(PAGE, { idl: frequency, idle: frequency }).find(({ phrase }) => phrase === 'idle timeout')?.score ?? 0;
  expect(score(1)).toBeGreaterThan(score(400));
});

test('a page of under 50 words has none', () => {
  expect(phrasesOf({ title: 'Pools', text: SENTENCE })).toEqual([]);
});

test.each([
  ['](', 100_000],
  ['`', 200_000],
  ['<', 200_000],
  ['word ', 200_000],
])('%j repeated is linear', (part, n) => {
  expect(phraseCandidates({ title: 'x', text: part.repeat(n) }).candidates.length).toBeLessThanOrEqual(200);
});
