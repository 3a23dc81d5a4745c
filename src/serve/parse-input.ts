// The input of an action, checked, with errors in the words of the interfaces that name inputs as the actions do.

import type { z } from 'zod';
import type { Action } from '../actions/action.ts';
import { withSuggestions } from '../core/text/edit-distance.ts';
import { pinakesError } from '../core/model/errors.ts';
import { issueSentence } from '../core/text/issue-text.ts';

/** Raises `input.invalid` with everything that is wrong. */
export function parseInput(action: Action, input: unknown): Record<string, unknown> {
  const parsed = action.input.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw pinakesError('input.invalid', {
    reason: parsed.error.issues.map((issue) => describe(action, issue)).join('; '),
  });
}

function describe({ input }: Action, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issueSentence(issue.path.join('.') || 'the input', issue);
  const known = issue.path.length === 0 ? Object.keys(input.shape) : [];
  const at = issue.path.length === 0 ? '' : ` in ${issue.path.join('.')}`;
  return `there is no input ${issue.keys.map((key) => withSuggestions(key, known)).join(' and ')}${at}`;
}
