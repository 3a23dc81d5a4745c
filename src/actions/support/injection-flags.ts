// The mark on a text that talks to a machine instead of a reader, for whoever hands it to one.

import { z } from 'zod';
import { suspicionsOf } from '../../core/classify/prompt-injection.ts';

export const Suspicions = z
  .array(z.string())
  .optional()
  .describe('There only if the text seems to address a machine: by which rules');

export function withSuspicions<T extends { readonly text: string }>(served: T): T & { suspicions?: string[] } {
  const suspicions = [...suspicionsOf(served.text)];
  return suspicions.length === 0 ? served : { ...served, suspicions };
}
