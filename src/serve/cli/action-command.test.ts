import { expect, test } from 'vitest';
import { z } from 'zod';
import { syncProject } from '../../actions/sync-project.ts';
import { issueSentence } from '../../core/text/issue-text.ts';
import { cliBindings, collectInput } from './action-command.ts';

const cases: ReadonlyArray<readonly [z.ZodType, unknown, string]> = [
  [z.int().max(50), 100, '--limit must be at most 50'],
  [z.int().min(1), 0, '--limit must be at least 1'],
  [z.int(), 1.5, '--limit must be a whole number'],
  [z.int(), 'many', '--limit must be a number'],
  [z.string(), undefined, '--limit is required'],
  [z.string().trim().min(1), '  ', '--limit must not be empty'],
  [z.string().max(3), 'long', '--limit must have at most 3 characters'],
  [z.enum(['read', 'admin']), 'write', '--limit must be one of read, admin'],
  [z.array(z.string()).max(1), ['a', 'b'], '--limit must have at most 1 values'],
  [z.string().refine(() => false, 'not a glob'), 'x', '--limit: not a glob'],
];

for (const [schema, input, message] of cases)
  test(`${JSON.stringify(input)}: ${message}`, () => {
    const [issue] = schema.safeParse(input, { reportInput: true }).error?.issues ?? [];
    expect(issue && issueSentence('--limit', issue)).toBe(message);
  });

test('a path by default is made absolute, because the owner has another working folder', () => {
  const binding = cliBindings(syncProject)[0]!;
  expect(collectInput(syncProject, binding, [undefined], {})).toEqual({ dir: process.cwd() });
});
