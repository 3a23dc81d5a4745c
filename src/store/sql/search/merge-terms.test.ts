import { expect, test } from 'vitest';
import { createPostingWriter, readPostings } from '../../../core/lexical/segment/postings.ts';
import { compareCodePoints, mergeTerms, type MergePart, type TermRow } from './merge-terms.ts';

function row(term: string, chunks: readonly number[]): TermRow {
  const writer = createPostingWriter();
  for (const chunk of chunks) writer.add(chunk, chunk + 1);
  return { term, postings: writer.flush().bytes };
}

function part(renumber: readonly number[], rows: readonly TermRow[]): MergePart {
  return { rows, renumber: Int32Array.from(renumber) };
}

function merged(parts: readonly MergePart[], end: string | null): Array<readonly [string, number[]]> {
  return mergeTerms(parts, end).map(({ term, count, bytes }) => {
    const chunks: number[] = [];
    readPostings(bytes, (chunk) => chunks.push(chunk));
    expect(count).toBe(chunks.length);
    return [term, chunks] as const;
  });
}

const parts = [
  part([0, 1, -1], [row('a', [0, 2]), row('c', [2]), row('d', [1])]),
  part([2, 3], [row('a', [0, 1]), row('b', [1])]),
];

test('terms of all parts are in order, renumbered and without removed chunks', () => {
  expect(merged(parts, null)).toEqual([
    ['a', [0, 2, 3]],
    ['b', [3]],
    ['d', [1]],
  ]);
});

test('terms after the end are left for the next step', () => {
  expect(merged(parts, 'b').map(([term]) => term)).toEqual(['a', 'b']);
});

test('terms are ordered like their UTF-8 bytes', () => {
  const terms = ['', 'a', 'ab', 'b', 'é', '\u3042', '\uac00', '\uff41', '\u{10400}', '\u{1d400}a', '\u{20000}'];
  for (const left of terms)
    for (const right of terms)
      expect(Math.sign(compareCodePoints(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
});
