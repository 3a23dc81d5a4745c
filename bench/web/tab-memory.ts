// The memory of a tab: what its process holds, with the threads of its workers, and the heaps of page and worker.

import type { Browser, CDPSession } from 'playwright-core';
import { memoryMegabytes } from '../support/process-memory.ts';

export interface TabMemory {
  /** Resident memory of the process; it includes the mapped files of the browser itself. */
  readonly peakMegabytes: number;
  /** The part that was private to the tab: without the mapped files of the browser. */
  readonly peakPrivateMegabytes: number;
  readonly peakHeapMegabytes: number;
}

const INTERVAL_MS = 250;

export async function watchMemory(browser: Browser, pid: number): Promise<{ stop(): TabMemory }> {
  const session = await browser.newBrowserCDPSession();
  const heaps = await heapsOf(session);
  let peak = 0;
  let privatePeak = 0;
  let heapPeak = 0;
  const timer = setInterval(() => {
    // The kernel's own peak is not enough: Chromium resets it now and then.
    peak = Math.max(peak, memoryMegabytes(pid, 'VmRSS'), memoryMegabytes(pid, 'VmHWM'));
    privatePeak = Math.max(privatePeak, memoryMegabytes(pid, 'RssAnon') + memoryMegabytes(pid, 'RssShmem'));
    void heaps().then((bytes) => (heapPeak = Math.max(heapPeak, bytes / 1e6)));
  }, INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return {
        peakMegabytes: Math.round(peak),
        peakPrivateMegabytes: Math.round(privatePeak),
        peakHeapMegabytes: Math.round(heapPeak),
      };
    },
  };
}

/** Asks page and worker for the size of their heaps. One that is busy answers when it is done; it is not asked again before. */
async function heapsOf(session: CDPSession): Promise<() => Promise<number>> {
  const { targetInfos } = await session.send('Target.getTargets');
  const wanted = targetInfos.filter(({ type }) => type === 'page' || type === 'worker');
  const sessions = await Promise.all(
    wanted.map(async ({ targetId }) => {
      const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
      return sessionId;
    }),
  );
  const bytes = new Map<string, number>();
  const pending = new Set<string>();
  session.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
    const { result } = JSON.parse(message) as { result?: { totalSize: number; backingStorageSize?: number } };
    bytes.set(sessionId, (result?.totalSize ?? 0) + (result?.backingStorageSize ?? 0));
    pending.delete(sessionId);
  });
  return async () => {
    for (const sessionId of sessions.filter((one) => !pending.has(one))) {
      pending.add(sessionId);
      const message = JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' });
      await session.send('Target.sendMessageToTarget', { sessionId, message });
    }
    return [...bytes.values()].reduce((sum, size) => sum + size, 0);
  };
}
