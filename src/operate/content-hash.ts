// The hash of a page's text, by Node's own code: `core` has the same in JavaScript for every place that has no Node, and is
// slower.

import { hash } from 'node:crypto';
import type { Sha256 } from '../core/model/hash.ts';

export function contentHashOf(text: string): Sha256 {
  return hash('sha256', text) as Sha256;
}
