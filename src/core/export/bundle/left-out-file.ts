// Which files of a folder a bundle reports as left out, wherever the folder is read.

import { chunkPath } from '../../chunk/chunk-names.ts';
import type { PageUrl } from '../../model/page-url.ts';
import type { LeftOutFile } from './bundle.ts';

/** Rules of the user, or of every folder: what they leave out is not missed. */
const UNREPORTED_RULES = /^(?:hidden|ignored)\b/;

/** A list of one file, or of none. */
export function leftOutFile(url: PageUrl, rule: string): readonly LeftOutFile[] {
  return UNREPORTED_RULES.test(rule) ? [] : [{ path: chunkPath(url), message: `the file was left out: ${rule}` }];
}
