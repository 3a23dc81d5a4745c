import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { createTrapBudget, DEFAULT_TRAP_BUDGET, textFingerprint } from './crawl-traps.ts';
import { workMs } from '../../../test/support/work-time.ts';

const small = { ...DEFAULT_TRAP_BUDGET, maxUrlsPerPattern: 3, maxShapesPerPath: 2, duplicateCheckPages: 10 };
const at = (path: string) => pageUrl(`https://x.dev${path}`);

test('a set of parameter names has a budget, and each URL counts once', () => {
  const budget = createTrapBudget(small);
  for (const day of [1, 2, 3, 3, 2, 1]) expect(budget.exclusion(at(`/c?d=${day}`))).toBeNull();
  expect(budget.exclusion(at('/c?d=4'))).toBe('more than 3 URLs with the parameters d');
  expect(budget.exclusion(at('/c?d=1'))).toBeNull();
  expect(budget.exclusion(at('/other?d=4'))).toBeNull();
});

test('combinations of parameters on one path have a budget too, in any order', () => {
  const budget = createTrapBudget(small);
  for (const query of ['a=1&b=1', 'b=2&a=1', 'a=1']) expect(budget.exclusion(at(`/f?${query}`))).toBeNull();
  expect(budget.exclusion(at('/f?c=1'))).toBe('more than 2 combinations of parameters on one path');
});

test('a folder of identical pages is excluded, and no other', () => {
  const budget = createTrapBudget({ ...small, maxDuplicateShare: 0.8 });
  for (let i = 0; i < 9; i++) budget.record(at(`/endless/${i}`), 'the same');
  expect(budget.exclusion(at('/endless/9'))).toBeNull();
  budget.record(at('/endless/9'), 'the same');
  expect(budget.exclusion(at('/endless/10'))).toBe('10 pages of this folder are nearly identical');
  expect(budget.exclusion(at('/docs/1'))).toBeNull();
});

test('a folder of many different pages is not excluded', () => {
  const budget = createTrapBudget(small);
  for (let i = 0; i < 50; i++) budget.record(at(`/docs/${i}`), `page ${i}`);
  expect(budget.exclusion(at('/docs/51'))).toBeNull();
});

const fingerprint = (text: string, title = 'T'): string => textFingerprint({ title, text });

test('pages that differ only in their links have the same fingerprint', () => {
  expect(fingerprint('# Endless\n\nThe same text [a1](/x/a1) [b2](/x/b2)')).toBe(
    fingerprint('# Endless\n\nThe same text [c](/c) [d](/d)'),
  );
});

test('another text or title gives another fingerprint', () => {
  expect(fingerprint('One text')).not.toBe(fingerprint('Another text'));
  expect(fingerprint('One text', 'A')).not.toBe(fingerprint('One text', 'B'));
  expect(fingerprint('an [open bracket')).not.toBe(fingerprint('an [other bracket'));
});

test('hostile text takes linear time', () => {
  expect(workMs(() => fingerprint('['.repeat(1_000_000)))).toBeLessThan(2500);
  expect(workMs(() => fingerprint('[]('.repeat(300_000)))).toBeLessThan(2500);
});

test('a full budget admits no more URLs with parameters (finding B19)', () => {
  const budget = createTrapBudget(DEFAULT_TRAP_BUDGET, { maxUrls: 100, maxFingerprints: 100 });
  const excluded = (nth: number) => budget.exclusion(pageUrl(`https://x.dev/path-${nth}?a=1`));
  for (let nth = 1; nth <= 50; nth += 1) expect(excluded(nth)).toBeNull();
  expect(excluded(51)).toBe('more than 100 URLs with parameters');
  expect(excluded(1)).toBeNull();
  expect(budget.exclusion(pageUrl('https://x.dev/path-51'))).toBeNull();
});

test('a folder is not taken for a trap because the memory of the budget is full', () => {
  const budget = createTrapBudget(
    { ...DEFAULT_TRAP_BUDGET, duplicateCheckPages: 20 },
    { maxUrls: 100, maxFingerprints: 100 },
  );
  for (let folder = 1; folder <= 20; folder += 1)
    for (let page = 1; page <= 50; page += 1) {
      const url = pageUrl(`https://x.dev/${folder}/${page}`);
      expect(budget.exclusion(url)).toBeNull();
      budget.record(url, `text ${folder} ${page}`);
    }
  for (let page = 1; page <= 50; page += 1) budget.record(pageUrl(`https://x.dev/trap/${page}`), 'the same');
  expect(budget.exclusion(pageUrl('https://x.dev/trap/51'))).toContain('nearly identical');
});
