import { expect, test } from 'vitest';
import type { OutlineEntry } from '../model/document.ts';
import { pageSections, sectionAt } from './heading-path.ts';

const heading = (line: number, text: string, level = 2): OutlineEntry => ({ level, text, anchor: text, line });

const definition = (line: number, symbol: string, lastLine = line): OutlineEntry => ({
  level: 3,
  text: symbol,
  anchor: symbol,
  line,
  definition: { symbol, lastLine },
});

/** The innermost heading above each line. */
function headingsAt(outline: readonly OutlineEntry[], lines: readonly number[]): Array<string | undefined> {
  const sections = pageSections('Page', outline);
  return lines.map((line) => sectionAt(sections, line)?.headings.at(-1));
}

test('the text below a definition with a description belongs to the section that contains it', () => {
  const outline = [heading(1, 'Commits'), definition(3, 'on_commit', 6), heading(20, 'Savepoints')];
  expect(headingsAt(outline, [2, 3, 6, 8])).toEqual(['Commits', 'on_commit', 'on_commit', 'Commits']);
});

test('the text below a bare signature describes it, up to the next section', () => {
  const outline = [
    heading(1, 'Commits'),
    definition(3, 'commit'),
    definition(4, 'rollback'),
    heading(20, 'Savepoints'),
    definition(22, 'savepoint'),
  ];
  expect(headingsAt(outline, [2, 3, 4, 19, 21, 90])).toEqual([
    'Commits',
    'commit',
    'rollback',
    'rollback',
    'Savepoints',
    'savepoint',
  ]);
});

test('it stays in the definition that contains the signature', () => {
  const outline = [definition(1, 'Transaction', 10), { ...definition(3, 'Transaction.commit'), level: 4 }];
  expect(headingsAt(outline, [9, 11])).toEqual(['Transaction.commit', undefined]);
});

test.each(['filter()', 'QuerySet.filter', '`filter`'])('below the heading %s it stays under that heading', (name) => {
  const outline = [heading(1, name), definition(3, 'models.QuerySet.filter'), heading(20, 'Others')];
  expect(headingsAt(outline, [3, 5])).toEqual(['models.QuerySet.filter', name]);
});

test('a heading that only ends like the name is another one', () => {
  const outline = [heading(1, 'ter'), definition(3, 'filter'), heading(20, 'Others')];
  expect(headingsAt(outline, [5])).toEqual(['filter']);
});
