// The source that a new one would repeat.

import { parsePageUrl } from '../../../src/core/model/page-url.ts';
import { sourceNameFromUrl } from '../../../src/core/model/source-name.ts';
import type { SourceStats } from '../../api/responses.ts';

export interface ExistingSource {
  readonly source: string;
  /** Otherwise it only has the same start URL. */
  readonly isNameTaken: boolean;
}

/** The source that would be there twice, if there is one. */
export function existingSource(
  { url, name }: { readonly url: string; readonly name: string },
  sources: readonly SourceStats[],
): ExistingSource | null {
  const start = parsePageUrl(url.trim());
  if (start === null) return null;
  const ownName = name.trim() === '' ? sourceNameFromUrl(start) : name.trim();
  const named = sources.find(({ source }) => source === ownName);
  if (named !== undefined) return { source: named.source, isNameTaken: true };
  const same = sources.find((one) => one.startUrl === start);
  return same === undefined ? null : { source: same.source, isNameTaken: false };
}
