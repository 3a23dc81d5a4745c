import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainIssue } from './plain-issue.ts';

const cases: ReadonlyArray<readonly [z.ZodType, unknown, string]> = [
  [z.int().max(50), 100, 'it is at most 50'],
  [z.int().min(1), 0, 'it is at least 1'],
  [z.int(), 1.5, 'it is not a whole number'],
  [z.int(), 'many', 'it is not a number'],
  [z.string(), undefined, 'it is missing'],
  [z.string().trim().min(1), '  ', 'it is empty'],
  [z.string().max(3), 'long', 'it is at most 3 characters long'],
  [z.enum(['read', 'admin']), 'write', 'it is one of read, admin'],
  [z.array(z.string()).max(1), ['a', 'b'], 'it is at most 1 of them'],
  [z.string().refine(() => false, 'that cannot be'), 'x', 'that cannot be'],
];

for (const [schema, input, words] of cases)
  test(`${JSON.stringify(input)}: ${words}`, () => {
    const [issue] = schema.safeParse(input, { reportInput: true }).error?.issues ?? [];
    expect(issue && plainIssue(issue)).toBe(words);
  });
