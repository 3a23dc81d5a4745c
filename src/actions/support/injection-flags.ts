// Flags texts that contain prompt-injection patterns, for callers that pass them to a model.

import { z } from 'zod';
import { decodePercent } from '../../core/text/decode-percent.ts';
import { detectInjection } from '../../core/classify/prompt-injection.ts';

export const InjectionFlags = z
  .array(z.string())
  .optional()
  .describe('Prompt-injection patterns found in the text; omitted if there are none');

interface Flagged {
  readonly text: string;
  readonly title: string;
  readonly url: string;
  readonly headings?: readonly string[];
}

/** Title, headings and URL are read with the text, and outside its fence. */
export function withInjectionFlags<T extends Flagged>(result: T): T & { injectionFlags?: string[] } {
  const { text, title, url, headings = [] } = result;
  const path = decodePercent(url).replaceAll(/[\s_/.+-]+/g, ' ');
  const flags = injectionFlagsOf([text, title, ...headings, path].join('\n'));
  return flags.injectionFlags === undefined ? result : { ...result, ...flags };
}

export function injectionFlagsOf(text: string): { injectionFlags?: string[] } {
  const injectionFlags = [...detectInjection(text)];
  return injectionFlags.length === 0 ? {} : { injectionFlags };
}
