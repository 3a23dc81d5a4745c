// A line such as `Source: https://…`, which names the page that a text was taken from.

import { inlineLinks } from '../markdown/inline-links.ts';
import { isAddress, unquoted } from './front-matter.ts';

const LABEL =
  /^(?:\*\*|__)?(Source|Source URL|URL|Url|url|source|Link|Page|Page URL|Canonical|Canonical URL|Original URL|Permalink)(?:\*\*|__)?:(?:\*\*|__)?\s*(\S.*)$/;

export interface Labelled {
  readonly label: string;
  readonly address: string;
}

export function labelledAt(line: string | undefined): Labelled | null {
  if (line === undefined || line.length > 2200) return null;
  const match = LABEL.exec(line);
  if (match === null) return null;
  const value = unquoted(match[2] ?? '');
  const linked = inlineLinks(value)[0];
  const address = linked !== undefined && linked.start === 0 ? linked.target : value.replace(/^<(.*)>$/, '$1');
  return isAddress(address) ? { label: match[1] ?? '', address } : null;
}
