// A position in the changes of a library as a consumer saves it. It names the library and the time of the change, so that a position of another
// library, or of one that was since restored from a backup, is recognized: the same number is another change there.

import { pinakesError } from '../core/model/errors.ts';
import type { UrlKey } from '../core/model/page-url.ts';
import type { VersionId } from '../core/model/run.ts';
import type { Changes } from '../store/port.ts';

export interface ChangePosition {
  /** Null if the consumer gave only a number, which is not checked. */
  readonly library: string | null;
  readonly number: number;
  /** Milliseconds; 0 if it is not known. */
  readonly at: number;
  /** How far everything was listed; null once it is. */
  readonly listing: Listing | null;
}

export interface Listing {
  readonly version: VersionId;
  /** The last page that was listed; null before the first one. */
  readonly after: UrlKey | null;
}

const FORM = /^([\da-f]{16})-(\d{1,15})-([\da-z]{1,9})(?:-(\d{1,9})-([\da-f]{32})?)?$/;

/** Raises `input.invalid`. */
export function parsePosition(text: string): ChangePosition {
  if (/^\d{1,15}$/.test(text)) return { library: null, number: Number(text), at: 0, listing: null };
  const [, library, number, at = '', version, after] = FORM.exec(text) ?? [];
  if (library === undefined) throw pinakesError('input.invalid', { why: `${text.slice(0, 100)} is not a position` });
  const listing =
    version === undefined
      ? null
      : { version: Number(version) as VersionId, after: after === undefined ? null : (after as UrlKey) };
  return { library, number: Number(number), at: Number.parseInt(at, 36), listing };
}

export function formatPosition({ library, number, at, listing }: ChangePosition): string {
  const from = `${library ?? ''}-${number}-${at.toString(36)}`;
  return listing === null ? from : `${from}-${listing.version}-${listing.after ?? ''}`;
}

/** Of the newest change. */
export async function latestPosition(changes: Changes): Promise<ChangePosition> {
  const { library, latest } = await changes.range();
  return { library, number: latest, at: (await changes.timeOf(latest))?.getTime() ?? 0, listing: null };
}

/** Raises `changes.expired` for a position that is not of this library. */
export async function checkPosition(changes: Changes, position: ChangePosition): Promise<void> {
  const { library, number, at } = position;
  if (library === null) return;
  const range = await changes.range();
  const found = at === 0 ? null : await changes.timeOf(number);
  const isOurs = library === range.library && (found === null || found.getTime() === at);
  if (!isOurs || number < range.oldest || number > range.latest) throw await expired(changes, position);
}

export async function expired(changes: Changes, position: ChangePosition, cause?: unknown): Promise<Error> {
  const latest = formatPosition(await latestPosition(changes));
  return pinakesError('changes.expired', { position: formatGiven(position), latest }, cause);
}

function formatGiven(position: ChangePosition): string {
  return position.library === null ? String(position.number) : formatPosition(position);
}
