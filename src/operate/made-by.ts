// Who made a stored document. A page whose makers have changed since is made again from its stored body.

import type { ParsedPage } from '../parse/port.ts';

export function madeByOf({ extractor, chunker }: Pick<ParsedPage, 'extractor' | 'chunker'>): string {
  return `${extractor.name}@${extractor.version} ${chunker}`;
}

/** What came ready-made in a bundle is nobody's to make again. */
const READY_MADE = 'bundle@';

export function isMadeBy(madeBy: string, makers: ReadonlySet<string>): boolean {
  if (madeBy.startsWith(READY_MADE)) return true;
  return madeBy !== '' && madeBy.split(' ').every((maker) => makers.has(maker));
}
