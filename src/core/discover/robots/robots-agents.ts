// Which agents a line of robots.txt is about.

import type { Directive } from './robots-lines.ts';

/** The lines between two headers, each with the agents of the header above it. A sitemap does not end a header. */
export function* withAgents(
  directives: readonly Directive[],
): Generator<Directive & { readonly agents: Set<string> }, void> {
  let agents = new Set<string>();
  let inHeader = false;
  for (const directive of directives) {
    if (directive.key === 'user-agent') {
      if (!inHeader) agents = new Set();
      agents.add(parseAgent(directive.value));
      inHeader = true;
      continue;
    }
    if (directive.key !== 'sitemap') inHeader = false;
    yield { ...directive, agents };
  }
}

/** The leading product token; `*` alone or before white space is everyone. */
export function parseAgent(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[a-zA-Z_-]*/.exec(value)?.[0].toLowerCase() ?? '';
}
