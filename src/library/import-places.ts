// Imports places into the gazetteer: the built-in tables, or the lines of a GeoNames file.

import { readGeonamesLine, type GeonamesLine } from '../core/gazetteer/read-geonames.ts';
import type { ImportedPlace } from '../core/gazetteer/place.ts';
import type { Gazetteer } from '../store/port/gazetteer.ts';

/** More than the regions of all countries and the cities with over 5,000 people. */
export const MAX_PLACES = 100_000;
const BATCH_SIZE = 500;

export interface ImportedPlaces {
  /** Number of places read. */
  readonly read: number;
  /** Number of new places. */
  readonly added: number;
  /** Number of lines about other features, such as rivers. */
  readonly ignored: number;
  /** Number of lines in another format. */
  readonly malformed: number;
  /** Whether the file exceeds the limit of the gazetteer. */
  readonly isTruncated: boolean;
}

/** Each batch is committed by itself: an import that was interrupted is continued by repeating it. */
export async function importPlaces(
  places: Iterable<ImportedPlace> | AsyncIterable<GeonamesLine>,
  gazetteer: Pick<Gazetteer, 'save' | 'relate'>,
  onBatch: (read: number) => void,
): Promise<ImportedPlaces> {
  const count = { read: 0, added: 0, ignored: 0, malformed: 0, isTruncated: false };
  let pending: ImportedPlace[] = [];
  const write = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    if (batch.length > 0) count.added += await gazetteer.save(batch);
    onBatch(count.read);
  };
  for await (const place of places) {
    if (typeof place === 'string') count[place] += 1;
    else if (count.read === MAX_PLACES) {
      count.isTruncated = true;
      break;
    } else {
      count.read += 1;
      pending.push(place);
      if (pending.length === BATCH_SIZE) await write();
    }
  }
  await write();
  await gazetteer.relate();
  return count;
}

export async function* geonamesOf(lines: AsyncIterable<string>): AsyncGenerator<GeonamesLine> {
  for await (const line of lines) if (line !== '' && !line.startsWith('#')) yield readGeonamesLine(line);
}
