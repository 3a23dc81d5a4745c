// Describes a fault of an input or a setting in words that fit after its name: `must be at most 50`.

import type { z } from 'zod';

export function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return `must ${sizeText(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small') {
    const isEmpty = issue.origin === 'string' && issue.minimum === 1;
    return isEmpty
      ? 'must not be empty'
      : `must ${sizeText(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.input === undefined ? 'is required' : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
}

/** With the name of what is wrong: `limit must be at most 50`. */
export function issueSentence(name: string, issue: z.core.$ZodIssue): string {
  const text = issueText(issue);
  return /^(?:must|is) /.test(text) ? `${name} ${text}` : `${name}: ${text}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = { int: 'a whole number', number: 'a number', string: 'text' };

function sizeText(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' values' : '';
}
