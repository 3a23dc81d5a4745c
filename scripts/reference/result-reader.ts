// Reads a file of bench/results by paths such as `all/ndcg`. A figure that a result does not have stops the generation of the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ResultReader {
  number(path: string): number;
  text(path: string): string;
  /** The members of a list or of an object. */
  each(path: string): readonly ResultReader[];
}

export function readResult(name: string): ResultReader {
  const file = join(import.meta.dirname, '../../bench/results', `${name}.json`);
  return readerOf(JSON.parse(readFileSync(file, 'utf8')), name);
}

function readerOf(value: unknown, name: string): ResultReader {
  function find(path: string): unknown {
    let at: unknown = value;
    for (const key of path.split('/')) at = (at as Record<string, unknown> | null)?.[key];
    if (at === undefined) throw new Error(`bench/results/${name}.json has no ${path}`);
    return at;
  }
  return {
    number: (path) => Number(find(path)),
    text: (path) => String(find(path)),
    each: (path) => Object.values(find(path) as object).map((one) => readerOf(one, name)),
  };
}
