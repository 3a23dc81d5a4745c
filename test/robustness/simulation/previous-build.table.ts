// How the previous build differs from this one, as install.ts changes it: pages and segments that it stores are of an earlier format.
// Nothing is released yet, so there is no real previous build.

import type { Edit } from './planted-faults.table.ts';

/** Ends the URLs of its modules. */
export const PREVIOUS_BUILD = '?build=previous';

export const PREVIOUS_EDITS: readonly Edit[] = [
  {
    file: 'core/extract/html/extract-html.ts',
    find: `export const HTML_EXTRACTOR_VERSION = 5;`,
    replace: `export const HTML_EXTRACTOR_VERSION = 4;`,
  },
  {
    file: 'core/lexical/tokenize/tokenize.ts',
    find: `export const tokenizerVersion = 2;`,
    replace: `export const tokenizerVersion = 1;`,
  },
];

/** Shared by both builds: errors are recognised by their class. */
export const SHARED_MODULES: readonly string[] = ['core/model/errors.ts'];
