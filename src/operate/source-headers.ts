// The headers of a private source, with their secrets filled in. They go to the origin of its start and nowhere else.

import { parseHeaderTemplate } from '../core/model/setting-formats.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { SecretFor } from '../platform/secrets.ts';

export interface SourceHeaders {
  readonly headersFor: (url: PageUrl) => Readonly<Record<string, string>>;
  /** Why they cannot be sent, without the value of any secret; null where they can. */
  readonly problem: string | null;
}

const NONE: Readonly<Record<string, string>> = {};

export function sourceHeaders(start: PageUrl, templates: readonly string[], secretFor: SecretFor): SourceHeaders {
  if (templates.length === 0) return { headersFor: () => NONE, problem: null };
  const { origin } = new URL(start);
  const headers: Record<string, string> = {};
  for (const text of templates) {
    const template = parseHeaderTemplate(text);
    if (template === null) return unusable(`the header ${text.split(':')[0]} is not written as one`);
    let value = '';
    for (const part of template.parts) {
      if ('text' in part) {
        value += part.text;
        continue;
      }
      const secret = secretFor(part.variable, origin);
      if (secret.kind === 'not-opened')
        return unusable(
          `the operator has not opened ${part.variable} for ${origin}: PINAKES_FETCH_SECRETS=${part.variable}@${origin} does`,
        );
      if (secret.kind === 'empty') return unusable(`the variable ${part.variable} is not set where the worker runs`);
      value += secret.value;
    }
    headers[template.name] = value;
  }
  // Another port or scheme is another origin.
  return { headersFor: (url) => (new URL(url).origin === origin ? headers : NONE), problem: null };
}

function unusable(problem: string): SourceHeaders {
  return { headersFor: () => NONE, problem };
}
