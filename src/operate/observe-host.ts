// Tells the host's pace what its answer was like. Most answers change nothing, and then nothing is written.

import { observationOf } from '../core/pace/observation-of.ts';
import { PACE_LIMITS, paceAfter, paceChange } from '../core/pace/pace-after.ts';
import { hostOf, type PageUrl } from '../core/model/page-url.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import type { HostState } from '../store/port.ts';
import type { PageDeps } from './page-deps.ts';

export async function observe(url: PageUrl, outcome: FetchOutcome, { stages, limits }: PageDeps): Promise<void> {
  const observation = observationOf(outcome);
  if (observation === null) return;
  const { startDelayMs } = limits;
  // Pacing that was turned off, for servers of one's own, stays off.
  const minDelayMs = startDelayMs === 0 ? 0 : limits.minDelayMs;
  const pace = { ...PACE_LIMITS, minDelayMs, startDelayMs };
  const next = (state: HostState): HostState => paceAfter(state, observation, pace);
  const host = hostOf(url);
  const now = await stages.store.hosts.get(host);
  if (paceChange(now, next(now)) === null && now.failures === next(now).failures) return;
  await stages.store.hosts.adjust(host, next);
}
