// Announcements between processes by NOTIFY, heard on one connection per process that listens. That connection must not go
// through a pooler in transaction mode, which would give it to others.

import pg from 'pg';
import { after, monotonicMs, sleepOrAbort, type Timer } from '../../platform/clock.ts';
import type { WakeupKind } from '../port/wakeups.ts';
import { createAnnouncer, type Announcer } from '../sql/engine/wakeups.ts';
import type { PostgresDriver } from './driver.ts';

const CHANNEL = 'pinakes';
const PUBLISHED: readonly WakeupKind[] = ['runs', 'urls', 'texts'];
/** Every NOTIFY wakes all processes, so announcements that follow each other are sent as one. */
const PUBLISH_EVERY_MS = 200;
/** How long an idle loop sleeps: where announcements are heard, and where they are not. */
const MAX_IDLE_MS = { listening: 2000, polling: 1000 } as const;
const MAX_RECONNECT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Null for `listenUrl` if no connection may listen: then loops poll. */
export function createPgAnnouncer(
  driver: PostgresDriver,
  listenUrl: string | null,
  onError: (error: Error) => void,
): Announcer {
  const listener = listenUrl === null ? null : createListener(listenUrl, (topic) => announcer.hear(topic), onError);
  const publish = createThrottle(PUBLISH_EVERY_MS, (topic) => notify(driver, topic));
  const announcer = createAnnouncer({
    maxIdleMs: () => (listener?.isListening() === true ? MAX_IDLE_MS.listening : MAX_IDLE_MS.polling),
    publish: (topic) => PUBLISHED.includes(topic) && publish.send(topic),
    onFirstSleep: () => listener?.start(),
    async close() {
      await Promise.all([listener?.close(), publish.close()]);
    },
  });
  return announcer;
}

/** Only a hint: where it fails, others find the work when they poll. */
async function notify(driver: PostgresDriver, topic: WakeupKind): Promise<void> {
  const session = await driver.connect();
  let broken = true;
  try {
    await session.query(`select pg_notify('${CHANNEL}', $1)`, [topic]);
    broken = false;
  } finally {
    session.release(broken);
  }
}

/** The first of several is sent at once, the others as one at the end of the interval. */
function createThrottle(everyMs: number, send: (topic: WakeupKind) => Promise<void>) {
  const timers = new Map<WakeupKind, { readonly timer: Timer; isWaiting: boolean }>();
  const sending = new Set<Promise<void>>();

  function sendNow(topic: WakeupKind): void {
    const current = send(topic)
      .catch(() => undefined)
      .finally(() => sending.delete(current));
    sending.add(current);
    const timer = after(everyMs, () => {
      const wasWaiting = timers.get(topic)?.isWaiting;
      timers.delete(topic);
      if (wasWaiting === true) sendNow(topic);
    });
    timer.unref();
    timers.set(topic, { timer, isWaiting: false });
  }

  return {
    send(topic: WakeupKind): void {
      const recent = timers.get(topic);
      if (recent === undefined) sendNow(topic);
      else recent.isWaiting = true;
    },
    /** What still waits is sent first: the process may end right after it queued a run. */
    async close(): Promise<void> {
      for (const [topic, { timer, isWaiting }] of timers) {
        timer.cancel();
        if (isWaiting) sending.add(send(topic).catch(() => undefined));
      }
      await Promise.all(sending);
    },
  };
}

function createListener(url: string, onNotify: (topic: WakeupKind) => void, onError: (error: Error) => void) {
  const stop = new AbortController();
  // A connection that is still being set up, or a server that is silent, does not delay the end.
  const stopped = new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let isListening = false;
  let running: Promise<void> | null = null;

  /** Resolves when the connection has ended. */
  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'pinakes',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    const ended = new Promise<void>((resolve) => client.on('end', resolve));
    client.on('error', onError);
    client.on('notification', ({ payload }) => {
      const topic = PUBLISHED.find((name) => name === payload);
      if (topic !== undefined) onNotify(topic);
    });
    try {
      await Promise.race([client.connect().then(() => client.query(`listen ${CHANNEL}`)), stopped]);
      if (stop.signal.aborted) return;
      isListening = true;
      // What was announced while nothing listened is not known.
      PUBLISHED.forEach(onNotify);
      await Promise.race([ended, stopped]);
    } finally {
      isListening = false;
      client.end().catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    for (let pauseMs = 250; !stop.signal.aborted; pauseMs = Math.min(MAX_RECONNECT_MS, 2 * pauseMs)) {
      const began = monotonicMs();
      await listen().catch((error: unknown) => {
        if (!stop.signal.aborted && error instanceof Error) onError(error);
      });
      if (monotonicMs() - began > MAX_RECONNECT_MS) pauseMs = 250;
      await sleepOrAbort(pauseMs, stop.signal);
    }
  }

  return {
    isListening: () => isListening,
    start: () => void (running ??= keepListening()),
    async close(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}
