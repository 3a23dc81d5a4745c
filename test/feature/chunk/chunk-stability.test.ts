// A chunk keeps its id if the page changes elsewhere.

import { describe, expect, test } from 'vitest';
import { bundleLimits } from '../../../src/core/chunk/chunker.ts';
import { markdownChunker } from '../../../src/core/chunk/markdown/markdown-chunker.ts';
import { documentFixture } from '../../support/document-fixture.ts';
import { createRandom } from '../../support/random.ts';

const WORDS = 'store fetch parse chunk index query token page crawl agent bundle source version heading anchor'.split(
  ' ',
);

/** Deterministic words for a seed. */
function words(seed: number, count: number): string {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
}

function paragraphs(from: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `Paragraph ${from + at} says ${words(from + at, 30 + ((from + at) % 50))}.`,
  );
}

function ids(text: string): Set<string> {
  return new Set(markdownChunker.chunk(documentFixture(text), bundleLimits).chunks.map(({ id }) => id));
}

function lost(before: Set<string>, after: Set<string>): number {
  return [...before].filter((id) => !after.has(id)).length;
}

const sectioned = Array.from({ length: 200 }, (_, at) => [`## Section ${at}`, ...paragraphs(at * 10, 8)]);
const headless = ['# One long page', ...paragraphs(0, 2400)];

describe('editing one paragraph changes the ids of at most three chunks', () => {
  const edits: ReadonlyArray<readonly [string, (paragraph: string, at: number) => string]> = [
    ['a word replaced', (paragraph) => paragraph.replace('says', 'said')],
    ['rewritten', (_, at) => `Anew: ${words(at + 99_999, 45)}.`],
    ['three times as long', (paragraph, at) => `${paragraph} ${words(at + 7, 120)}.`],
    ['cut to one word', () => 'Removed.'],
    ['turned into code', (paragraph) => `\`\`\`\n${paragraph}\n\`\`\``],
  ];

  test.each(edits)('in a page of 200 sections: %s', (_, edit) => {
    const before = ids(sectioned.flat().join('\n\n'));
    expect(before.size).toBeGreaterThanOrEqual(200);
    for (let section = 0; section < 200; section += 9) {
      const changed = sectioned.map((blocks, at) =>
        at === section ? blocks.map((block, index) => (index === 3 ? edit(block, at) : block)) : blocks,
      );
      const after = ids(changed.flat().join('\n\n'));
      expect(lost(before, after)).toBeLessThanOrEqual(3);
      expect(lost(after, before)).toBeLessThanOrEqual(3);
    }
  });

  test.each(edits)('in a page of 200 chunks without a heading: %s', (_, edit) => {
    const before = ids(headless.join('\n\n'));
    expect(before.size).toBeGreaterThan(200);
    for (let at = 5; at < headless.length; at += 97) {
      const after = ids(headless.map((block, index) => (index === at ? edit(block, at) : block)).join('\n\n'));
      expect(lost(before, after)).toBeLessThanOrEqual(3);
      expect(lost(after, before)).toBeLessThanOrEqual(3);
    }
  });
});

test('an added section does not change the ids of the others', () => {
  const before = ids(sectioned.flat().join('\n\n'));
  for (let section = 0; section <= 200; section += 10) {
    const added = ['## A new section', ...paragraphs(90_000, 6)];
    const after = ids([...sectioned.slice(0, section), added, ...sectioned.slice(section)].flat().join('\n\n'));
    expect(lost(before, after)).toBe(0);
    expect(after.size).toBe(before.size + 1);
  }
});

test('a removed section removes only its own chunks', () => {
  const before = ids(sectioned.flat().join('\n\n'));
  const after = ids(
    sectioned
      .filter((_, at) => at !== 77)
      .flat()
      .join('\n\n'),
  );
  expect(lost(before, after)).toBe(1);
  expect(lost(after, before)).toBe(0);
});
