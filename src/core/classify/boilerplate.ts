// Finds the blocks that a source repeats across its pages: a notice, a feedback line, a newsletter box. The result is a
// fact of the source, a versioned mask; a page's own document never changes. The mask is applied when a page is indexed.

import type { Document } from '../model/document.ts';
import { sha256Hex, type Sha256 } from '../model/hash.ts';
import { blocksOf, type TextBlock } from './text-blocks.ts';

/** 16 hexadecimal digits of a block's normalized text. */
export type BlockFingerprint = string & { readonly __brand: 'block-fingerprint' };

export interface BoilerplateMask {
  /** Changes when the rules or the blocks change: what was indexed under another version is indexed again. */
  readonly version: Sha256;
  /** How many pages were examined. */
  readonly pages: number;
  readonly blocks: ReadonlySet<BlockFingerprint>;
}

export interface BoilerplateRules {
  /** Blocks on fewer pages than this are content, whatever their share. */
  readonly minPages: number;
  /** Share of the pages that makes a block boilerplate. */
  readonly minShare: number;
  /** Mean occurrences per page. A block that recurs within a page is content: "New in 3.8". */
  readonly maxTimesAPage: number;
}

const RULES: BoilerplateRules = { minPages: 8, minShare: 0.4, maxTimesAPage: 1.2 };
/** Shorter blocks are labels, such as "Examples" or "Returns": masking them gains nothing and may mislead. */
const MIN_WORDS = 3;
const ALGORITHM = 1;

/** The fingerprints of one page, repeats included: enough to compute the mask without the texts. */
export function blockFingerprints(document: Document): readonly BlockFingerprint[] {
  if (document.format !== 'markdown' && document.format !== 'text') return [];
  return blocksOf(document.text)
    .filter(canBeMasked)
    .map(({ text }) => fingerprint(text));
}

function canBeMasked({ kind, text }: TextBlock): boolean {
  return kind === 'prose' && (wordsOf(text).match(/\p{L}{2,}/gu)?.length ?? 0) >= MIN_WORDS;
}

/** Any order of the pages gives the same mask. Each page is given once. */
export function boilerplateMask(
  pages: Iterable<readonly BlockFingerprint[]>,
  rules: BoilerplateRules = RULES,
): BoilerplateMask {
  const counts = new Map<BlockFingerprint, { pages: number; times: number }>();
  let total = 0;
  for (const blocks of pages) {
    total += 1;
    const onPage = new Set<BlockFingerprint>();
    for (const block of blocks) {
      const count = counts.get(block) ?? { pages: 0, times: 0 };
      counts.set(block, { pages: count.pages + (onPage.has(block) ? 0 : 1), times: count.times + 1 });
      onPage.add(block);
    }
  }
  const minPages = Math.max(rules.minPages, Math.ceil(total * rules.minShare));
  const repeated = [...counts]
    .filter(([, count]) => count.pages >= minPages && count.times <= count.pages * rules.maxTimesAPage)
    .map(([block]) => block)
    .sort();
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
  const masked = prose.filter((block) => canBeMasked(block) && mask.blocks.has(fingerprint(block.text)));
  return masked.length === prose.length ? [] : masked.map(({ first, last }) => ({ first, last }));
}

function fingerprint(text: string): BlockFingerprint {
  return sha256Hex(wordsOf(text)).slice(0, 16) as BlockFingerprint;
}

/**
 * What copies of a block share. Figures and case often differ between them ("Page 3 of 9", "Last updated …"), and so
 * do the targets of links ("Edit this page"); the words do not.
 */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\]\([^)\n]*\)/g, ']')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ')
    .trim();
}
