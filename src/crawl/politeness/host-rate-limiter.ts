// Per-host rate limiter: waits for a reserved request slot, and reserves another one if it was missed.
//
// Slots are spaced a little wider than the host's delay. A worker that is later than that, because the machine was
// busy, would come too close to the holder of the next slot, so it reserves a new one. Slots that this process reserved
// in one burst may slide into each other, as long as its own requests keep the delay.

import { createLruCache } from '../../core/lru-cache.ts';
import type { CrawlSettings } from '../../core/model/source-settings.ts';
import type { Hosts, RequestSlot } from '../../store/port/hosts.ts';
import { sleep } from '../../platform/clock.ts';

export interface CrawlClock {
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly random: () => number;
}

/** As in the store: slots are spaced a tenth of the delay wider. Half of that is used for jitter, half for lateness. */
const JITTER = 1 / 20;
const MAX_LATENESS = 1 / 10;
/** On a machine that is always late, the request is sent anyway after so many slots. */
const MAX_SLOTS = 20;
/**
 * A reservation is late if the store took longer than half of the delay: its slot may be over. Shorter times are not checked, and after
 * so many late answers the slot is used, because a database that is always slow must not reduce the rate of a host much.
 */
const MIN_LATE_ANSWER_MS = 100;
const MAX_LATE_ANSWERS = 3;
const MAX_CACHE_ENTRIES = 10_000;

export interface ReservedSlot extends RequestSlot {
  /** When the store answered. */
  readonly reservedAtMs: number;
  /** How much later the last slot of the same burst starts. */
  readonly burstMs: number;
  /** The jitter of the run. If it makes the request miss its slot, another one is reserved. */
  readonly jitterMs?: number;
}

/** The extra delay before a request of a run; 0 if the run sets none. */
export function runJitterMs(
  { requestJitterMinMs, requestJitterMaxMs }: Pick<CrawlSettings, 'requestJitterMinMs' | 'requestJitterMaxMs'>,
  random: number,
): number {
  const minMs = requestJitterMinMs ?? 0;
  return minMs + random * (Math.max(minMs, requestJitterMaxMs ?? 0) - minMs);
}

export interface HostRateLimiter {
  /** True when the request may be sent, immediately; false if `mayRequest` says that the host is paused. */
  waitForSlot(host: string, first: ReservedSlot, mayRequest: MayRequest, signal: AbortSignal): Promise<boolean>;
  /** For a request without a claim. */
  acquire(host: string, signal: AbortSignal, jitterMs?: number): Promise<void>;
}

/** A last check before the request. */
export type MayRequest = (slot: Pick<RequestSlot, 'startsInMs' | 'delayMs'>) => Promise<boolean>;

/** How fast the estimate of what the last check takes follows shorter ones. */
const CHECK_DECAY = 0.9;

export function createHostRateLimiter(hosts: Hosts, clock: CrawlClock): HostRateLimiter {
  const lastRequestAt = createLruCache<string, number>(MAX_CACHE_ENTRIES);
  const check = createEarlyCheck(clock);

  /** Requests of this process to one host keep the delay, whatever happened to their slots. */
  async function spaceRequests(host: string, delayMs: number, signal: AbortSignal): Promise<void> {
    for (let leftMs = 1; leftMs > 0;) {
      leftMs = (lastRequestAt.get(host) ?? -Infinity) + delayMs - clock.nowMs();
      await sleep(leftMs, signal);
    }
  }

  async function waitForSlot(
    host: string,
    first: ReservedSlot,
    mayRequest: MayRequest,
    signal: AbortSignal,
  ): Promise<boolean> {
    let { startsInMs, delayMs, reservedAfterMs, reservedAtMs, burstMs, jitterMs = 0 } = first;
    let lateAnswers = 0;
    for (let slots = 1; ; slots += 1) {
      const dueMs = reservedAtMs + startsInMs;
      const sendAtMs = dueMs + jitterMs + clock.random() * delayMs * JITTER;
      if (!(await check({ startsInMs, delayMs, reservedAfterMs }, sendAtMs, mayRequest, signal))) return false;
      if (delayMs === 0) return true;
      await spaceRequests(host, delayMs, signal);
      const nowMs = clock.nowMs();
      const isAnswerLate = reservedAtMs - reservedAfterMs > Math.max(MIN_LATE_ANSWER_MS, delayMs / 2);
      lateAnswers = isAnswerLate ? lateAnswers + 1 : 0;
      const isUncertain = lateAnswers > 0 && lateAnswers < MAX_LATE_ANSWERS;
      const isOnTime = !isUncertain && nowMs - dueMs <= delayMs * MAX_LATENESS + burstMs;
      if (isOnTime || slots === MAX_SLOTS) {
        lastRequestAt.set(host, nowMs);
        return true;
      }
      ({ startsInMs, delayMs, reservedAfterMs } = await hosts.reserveSlot(host));
      reservedAtMs = clock.nowMs();
      burstMs = 0;
      jitterMs = 0;
    }
  }

  return {
    waitForSlot,
    async acquire(host, signal, jitterMs = 0) {
      await sleep(jitterMs, signal);
      const slot = await hosts.reserveSlot(host);
      const reserved = { ...slot, reservedAtMs: clock.nowMs(), burstMs: 0 };
      await waitForSlot(host, reserved, async () => true, signal);
    },
  };
}

type CheckBefore = (slot: RequestSlot, dueMs: number, mayRequest: MayRequest, signal: AbortSignal) => Promise<boolean>;

/**
 * Checks as long before the slot as checks took recently: one that began with the slot would end after it on a busy machine, and each
 * slot would be given up.
 */
function createEarlyCheck({ nowMs }: CrawlClock): CheckBefore {
  let checkMs = 0;
  return async (slot, dueMs, mayRequest, signal) => {
    await sleep(dueMs - Math.min(checkMs, slot.delayMs) - nowMs(), signal);
    const beganMs = nowMs();
    const may = await mayRequest(slot);
    checkMs = Math.max(nowMs() - beganMs, checkMs * CHECK_DECAY);
    await sleep(may ? dueMs - nowMs() : 0, signal);
    return may;
  };
}
