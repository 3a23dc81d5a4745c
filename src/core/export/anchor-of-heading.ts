// The anchor that a heading gives by itself, where no other of the same text came before it.

import { createSlugger } from '../extract/heading-slug.ts';

export function anchorOfHeading(heading: string | undefined): string | null {
  return heading === undefined ? null : createSlugger()(heading);
}
