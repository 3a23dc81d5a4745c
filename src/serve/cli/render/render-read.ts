// Part of a page for a person at a terminal: where it is from, the text, and how to go on.

import type { z } from 'zod';
import type { readDocs } from '../../../actions/read-docs.ts';

type ReadAnswer = z.output<typeof readDocs.output>;

export function renderRead({ source, version, url, title, checkedAt, lines, text, next }: ReadAnswer): string {
  const from = version === '' ? source : `${source} ${version}`;
  const head = `${title}\n${url}  (${from}, lines ${lines.first}–${lines.last}, ${checkedAt.slice(0, 10)})\n\n`;
  return `${head}${text}\n${next === null ? '' : `\nMore: --from-line ${next}\n`}`;
}
