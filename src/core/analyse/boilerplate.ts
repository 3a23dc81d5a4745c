// Finds the blocks that a source repeats across its pages: a notice, a feedback line, a newsletter box. The result is a
// fact of the source, a versioned mask; a page's own document never changes. The mask is applied when a page is indexed.

import type { Document } from '../model/document.ts';
import { sha256Hex, type Sha256 } from '../model/hash.ts';
import { blocksOf } from './text-blocks.ts';

/** 16 hexadecimal digits of a block's normalised text. */
export type BlockFingerprint = string & { readonly __brand: 'block-fingerprint' };

export interface BoilerplateMask {
  /** Changes when the rules or the blocks change: what was indexed under another version is indexed again. */
  readonly version: Sha256;
  /** How many pages were looked at. */
  readonly pages: number;
  readonly blocks: ReadonlySet<BlockFingerprint>;
}

export interface BoilerplateRules {
  /** Blocks on fewer pages than this are content, whatever their share. */
  readonly minPages: number;
  /** Share of the pages that makes a block boilerplate. */
  readonly minShare: number;
}

const RULES: BoilerplateRules = { minPages: 8, minShare: 0.25 };
const ALGORITHM = 1;

/** The fingerprints of one page, each once: what a store keeps to compute the mask without the texts. */
export function blockFingerprints(document: Document): readonly BlockFingerprint[] {
  if (document.format !== 'markdown' && document.format !== 'text') return [];
  return [
    ...new Set(blocksOf(document.text).flatMap(({ text, kind }) => (kind === 'prose' ? [fingerprint(text)] : []))),
  ];
}

/** Any order of the pages gives the same mask. Each page is given once. */
export function boilerplateMask(
  pages: Iterable<readonly BlockFingerprint[]>,
  rules: BoilerplateRules = RULES,
): BoilerplateMask {
  const counts = new Map<BlockFingerprint, number>();
  let total = 0;
  for (const blocks of pages) {
    total += 1;
    for (const block of blocks) counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  const least = Math.max(rules.minPages, Math.ceil(total * rules.minShare));
  const repeated = [...counts].flatMap(([block, count]) => (count >= least ? [block] : [])).sort();
  return {
    version: sha256Hex(`boilerplate ${ALGORITHM}\n${repeated.join('\n')}`),
    pages: total,
    blocks: new Set(repeated),
  };
}

export interface LineRange {
  /** 1-based and inclusive, as in chunks. */
  readonly first: number;
  readonly last: number;
}

/** Which lines of a document the mask covers. A page that would lose all its text loses none. */
export function maskedLines(document: Document, mask: BoilerplateMask): readonly LineRange[] {
  const prose = mask.blocks.size === 0 ? [] : blocksOf(document.text).filter(({ kind }) => kind === 'prose');
  const masked = prose.filter(({ text }) => mask.blocks.has(fingerprint(text)));
  return masked.length === prose.length ? [] : masked.map(({ first, last }) => ({ first, last }));
}

/** Figures and case often differ between copies ("Page 3 of 9", "Last updated …"); the words do not. */
function fingerprint(text: string): BlockFingerprint {
  const words = text.toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ').trim();
  return sha256Hex(words).slice(0, 16) as BlockFingerprint;
}
