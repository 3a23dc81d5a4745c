// The catalogues that a call is about.

import { isAbsolute } from 'node:path';
import { pinakesError } from '../../core/model/errors.ts';
import { type ActionDeps, localAccessOf } from '../action.ts';

/** The one that the caller names, or the configured ones. Raises `files.forbidden` for a folder that the caller may not read. */
export function catalogReferences(
  named: string | undefined,
  { catalogs, localAccess }: Pick<ActionDeps, 'catalogs' | 'localAccess'>,
): readonly string[] {
  if (named === undefined) return catalogs.configured;
  if (/^https?:\/\//i.test(named)) return [named];
  localAccessOf({ localAccess });
  if (!isAbsolute(named))
    throw pinakesError('input.invalid', { reason: `${named} is neither a URL nor a folder; write ./${named}` });
  return [named];
}
