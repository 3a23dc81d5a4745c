import { expect, test } from 'vitest';
import { z } from 'zod';
import { actionNamed } from '../../actions/actions.ts';
import { RENAMED_INPUTS } from '../renamed-inputs.ts';
import { issueSentence } from '../../core/model/issue-text.ts';
import { checkRenamed } from './action-command.ts';

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

test.each([
  ['--allow', '--include', ['add', 'https://docs.example.dev', '--allow', '/guide/**']],
  ['--block', '--exclude', ['edit', 'docs', '--block=/blog/**']],
  ['--breadth', '--scope', ['plan', 'https://docs.example.dev', '--breadth', 'host']],
  ['--after', '--cursor', ['urls', '1', '--after', '00']],
  ['--kind', '--passage-kind', ['search', 'pool', '--kind', 'code']],
  ['--kind', '--page-kind', ['pages', 'docs', '--kind', 'hub']],
  ['--scope', '--role', ['token', 'create', 'laptop', '--scope', 'admin']],
  ['pinakes linking', 'pinakes backlinks', ['linking', 'docs', 'https://docs.example.dev']],
])('%s was renamed to %s, and the old name says so', (old, current, argv) => {
  expect(() => checkRenamed(argv)).toThrow(`${old} was renamed to ${current}`);
});

test('a flag that is new on one command is not mistaken for the old one of another', () => {
  expect(() => checkRenamed(['add', 'https://docs.example.dev', '--scope', 'host'])).not.toThrow();
  expect(() => checkRenamed(['events', 'docs', '--kind', 'problem'])).not.toThrow();
});

test('every renamed input leads to an input that exists', () => {
  for (const [name, renames] of Object.entries(RENAMED_INPUTS)) {
    const fields = Object.keys(actionNamed(name)?.input.shape ?? {});
    for (const [old, current] of Object.entries(renames)) {
      if (name !== 'import_sources') expect(fields).toContain(current);
      expect(fields).not.toContain(old);
    }
  }
});
