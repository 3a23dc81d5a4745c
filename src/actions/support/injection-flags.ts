// Flags texts that contain prompt-injection patterns, for callers that pass them to a model.

import { z } from 'zod';
import { detectInjection } from '../../core/classify/prompt-injection.ts';

export const InjectionFlags = z
  .array(z.string())
  .optional()
  .describe('Prompt-injection patterns found in the text; omitted if there are none');

export function withInjectionFlags<T extends { readonly text: string }>(result: T): T & { injectionFlags?: string[] } {
  const injectionFlags = [...detectInjection(result.text)];
  return injectionFlags.length === 0 ? result : { ...result, injectionFlags };
}
