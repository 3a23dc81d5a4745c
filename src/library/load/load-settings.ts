// The options of a batch of pages: names, defaults and ranges, declared once.

import { z } from 'zod';
import { pinakesError } from '../../core/model/errors.ts';
import { issueSentence } from '../../core/text/issue-text.ts';

export const LoadSettings = z.strictObject({
  timeoutSeconds: z.int().min(10).max(300).default(60),
  failOnError: z.boolean().default(false),
  maxConcurrentRequests: z.int().min(1).max(20).default(5),
  maxRetries: z.int().min(0).max(10).default(3),
  retryDelays: z.array(z.number().min(0).max(300)).min(1).default([1, 2, 4]),
});

/** Raises `input.invalid` with the name of what is wrong. */
export function parseSettings<Schema extends z.ZodType>(schema: Schema, provided: unknown): z.output<Schema> {
  const parsed = schema.safeParse(provided, { reportInput: true });
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues.map((issue) => issueSentence(issue.path.join('.') || 'options', issue)).join('; ');
  throw pinakesError('input.invalid', { reason });
}
