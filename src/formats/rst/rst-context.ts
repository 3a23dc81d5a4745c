// The context that the block writers of reStructuredText share. They call each other through it, because lists, tables and directives
// contain blocks again.

import type { RstDefinitions } from './rst-definitions.ts';

export interface RstContext {
  readonly definitions: RstDefinitions;
  /** The adornments of sections, outermost first: the order of their first use is their level. */
  readonly sectionStyles: string[];
  readonly depth: number;
  readonly document: { title: string | null; codeLanguage: string | null };
  readonly blocks: (lines: readonly string[]) => string;
  readonly inline: (text: string) => string;
}

/** A block from `at` to before `end`. */
export interface Written {
  readonly html: string;
  readonly end: number;
}
