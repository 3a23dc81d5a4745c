import { describe, expect, test } from 'vitest';
import { pageExcerpt, sectionLines } from './page-excerpt.ts';

describe('an excerpt of a page', () => {
  const outline = [
    { level: 1, text: 'Top', anchor: 'top', line: 1 },
    { level: 2, text: 'First', anchor: 'first', line: 3 },
    { level: 3, text: 'Deeper', anchor: null, line: 5 },
    { level: 2, text: 'Second', anchor: 'second', line: 7 },
  ];
  test('a section ends where the next one of its level begins', () => {
    expect(sectionLines(outline, 'first', 9)).toEqual({ first: 3, last: 6 });
    expect(sectionLines(outline, 'deeper', 9)).toEqual({ first: 5, last: 6 });
    expect(sectionLines(outline, 'absent', 9)).toBeNull();
  });

  test('the line feed at the end is no line', () => {
    const { lines, nextLine, text } = pageExcerpt('# A\n\nB\n', { first: 1, last: 4 }, 200);
    expect({ lines, nextLine, text }).toEqual({ lines: { first: 1, last: 3 }, nextLine: null, text: '# A\n\nB' });
  });

  test('continuing from `nextLine` returns every line once', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at} ${'x'.repeat(at)}`).join('\n');
    const parts: string[] = [];
    for (let from: number | null = 1; from !== null;) {
      const excerpt = pageExcerpt(text, { first: from, last: 100 }, 200);
      expect(excerpt.tokens).toBeLessThanOrEqual(200);
      parts.push(excerpt.text);
      from = excerpt.nextLine;
    }
    expect(parts.join('\n')).toBe(text);
  });
});
