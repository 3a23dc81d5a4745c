// What is wrong with one input, in words for somebody who typed it.

import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export function plainIssue(issue: Issue): string {
  switch (issue.code) {
    case 'too_big':
      return `it is at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'it is empty';
      return `it is at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `it is one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `it is not ${NAMED[issue.expected] ?? issue.expected}`;
    default:
      return issue.message;
  }
}

const NAMED: Readonly<Record<string, string>> = { int: 'a whole number', number: 'a number', string: 'a text' };

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' of them' : '';
}
