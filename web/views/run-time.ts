// How long a run took, or has taken so far.

import type { RunView } from '../api/responses.ts';
import { duration } from '../components/format.ts';

export function tookOf({ startedAt, endedAt }: RunView): string {
  if (startedAt === null) return '';
  return duration((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt));
}
