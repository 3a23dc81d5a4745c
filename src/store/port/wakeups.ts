// Wake-ups: a loop that found nothing to do learns when there may be something, so that it need not poll often.

/** Runs to coordinate, URLs to claim, settlements, texts to embed. Settlements are announced within one thread only, the others to every process. */
export type WakeupKind = 'runs' | 'urls' | 'settled' | 'texts';

/** An announcement is a hint: it may come early, late or, when a process ends, not at all. So every loop polls as well. */
export interface Wakeups {
  /** How long a loop may sleep when nothing is announced; 0 if it must poll as often as it likes to know. */
  maxIdleMs(): number;
  /** How many announcements there were so far. */
  count(topic: WakeupKind): number;
  /** Resolves at the first announcement after the `seen` ones, after `ms` at the latest, or at the signal; returns the new count. */
  next(topic: WakeupKind, seen: number, ms: number, signal: AbortSignal): Promise<number>;
}
