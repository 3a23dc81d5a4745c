import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { createTrapBudget, DEFAULT_TRAP_BUDGET } from './trap-budget.ts';

const small = { ...DEFAULT_TRAP_BUDGET, maxUrlsPerShape: 3, maxShapesPerPath: 2, repeatSample: 10 };
const at = (path: string) => pageUrl(`https://x.dev${path}`);

test('a shape of parameters has a budget, and a URL is counted once', () => {
  const budget = createTrapBudget(small);
  for (const day of [1, 2, 3, 3, 2, 1]) expect(budget.refusal(at(`/c?d=${day}`))).toBeNull();
  expect(budget.refusal(at('/c?d=4'))).toBe('more than 3 URLs with the parameters d');
  expect(budget.refusal(at('/c?d=1'))).toBeNull();
  expect(budget.refusal(at('/other?d=4'))).toBeNull();
});

test('combinations of parameters on one path have one too, in whatever order they stand', () => {
  const budget = createTrapBudget(small);
  for (const query of ['a=1&b=1', 'b=2&a=1', 'a=1']) expect(budget.refusal(at(`/f?${query}`))).toBeNull();
  expect(budget.refusal(at('/f?c=1'))).toBe('more than 2 combinations of parameters on one path');
});

test('a folder whose pages say the same is closed, and no other', () => {
  const budget = createTrapBudget({ ...small, maxRepeatShare: 0.8 });
  for (let i = 0; i < 9; i++) budget.note(at(`/endless/${i}`), 'the same');
  expect(budget.refusal(at('/endless/9'))).toBeNull();
  budget.note(at('/endless/9'), 'the same');
  expect(budget.refusal(at('/endless/10'))).toBe('10 pages of this folder say nearly the same');
  expect(budget.refusal(at('/docs/1'))).toBeNull();
});

test('a folder of many different pages stays open', () => {
  const budget = createTrapBudget(small);
  for (let i = 0; i < 50; i++) budget.note(at(`/docs/${i}`), `page ${i}`);
  expect(budget.refusal(at('/docs/51'))).toBeNull();
});
