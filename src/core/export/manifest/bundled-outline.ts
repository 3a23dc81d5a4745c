// The sections of a web page in pinakes.json: a row each, in the order of their lines.

import { z } from 'zod';
import type { OutlineEntry } from '../../model/document.ts';
import { MAX_LINE } from './manifest-tsv.ts';

/** Deeper sections are found nowhere; definitions nest below headings. */
const MAX_LEVEL = 100;

const Line = z.int().min(1).max(MAX_LINE);
const Heading = [z.int().min(1).max(MAX_LEVEL), z.string(), z.string().nullable(), Line] as const;
const DefinedNames = z.array(z.tuple([z.string(), z.string().nullable()]));

/** `[level, text, anchor, line]`, and for a definition `symbol, last line, [[symbol, anchor] of each further name]`. */
export const OutlineRow = z.union([z.tuple([...Heading]), z.tuple([...Heading, z.string(), Line, DefinedNames])]);

export function outlineRow({ level, text, anchor, line, definition }: OutlineEntry): z.input<typeof OutlineRow> {
  if (definition === undefined) return [level, text, anchor, line];
  const { symbol, lastLine, others = [] } = definition;
  return [level, text, anchor, line, symbol, lastLine, others.map((other) => [other.symbol, other.anchor])];
}

/** Null if its lines go back. */
export function readOutline(rows: ReadonlyArray<z.output<typeof OutlineRow>>): readonly OutlineEntry[] | null {
  const outline: OutlineEntry[] = [];
  for (const [level, text, anchor, line, symbol, lastLine, names = []] of rows) {
    if (line < (outline.at(-1)?.line ?? 1)) return null;
    const others = names.map(([name, own]) => ({ symbol: name, anchor: own }));
    const definition =
      symbol === undefined || lastLine === undefined
        ? {}
        : { definition: { symbol, lastLine, ...(others.length > 0 && { others }) } };
    outline.push({ level, text, anchor, line, ...definition });
  }
  return outline;
}
