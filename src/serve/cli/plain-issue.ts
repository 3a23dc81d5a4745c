// What is wrong with one input, in words for somebody who typed it.

import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export function plainIssue(issue: Issue): string {
  if (issue.code === 'too_big') return `it is at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small') {
    const isEmpty = issue.origin === 'string' && issue.minimum === 1;
    return isEmpty ? 'it is empty' : `it is at least ${issue.minimum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'invalid_value') return `it is one of ${issue.values.map(String).join(', ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.input === undefined ? 'it is missing' : `it is not ${NAMED[issue.expected] ?? issue.expected}`;
}

const NAMED: Readonly<Record<string, string>> = { int: 'a whole number', number: 'a number', string: 'a text' };

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' of them' : '';
}
