// FIFO ticket lock for the threads that write to one database. SQLite would block a thread while another one writes, and a thread
// that serves requests must not block: here it waits asynchronously, and threads write in the order in which they asked.

export interface WriteLock {
  /** Passed to another thread so that it shares the lock. */
  readonly memory: SharedArrayBuffer;
  withLock<T>(work: () => Promise<T>): Promise<T>;
  /** A write of some thread failed in a way that leaves the file in an unknown state: no thread may write any more. */
  markBroken(): void;
  isBroken(): boolean;
  /** A thread has ended, perhaps while it held the lock: from now on only SQLite's own lock applies. */
  abandon(): void;
}

/** Slots of the shared memory: the next ticket, the ticket that holds the lock, and two flags. */
const NEXT = 0;
const SERVED = 1;
const BROKEN = 2;
const ABANDONED = 3;
const SLOTS = 4;

export function createWriteLock(memory = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT)): WriteLock {
  const slots = new Int32Array(memory);

  async function waitForLock(ticket: number): Promise<void> {
    for (;;) {
      const served = Atomics.load(slots, SERVED);
      if (served === ticket || Atomics.load(slots, ABANDONED) === 1) return;
      await Atomics.waitAsync(slots, SERVED, served).value;
    }
  }

  function release(): void {
    Atomics.add(slots, SERVED, 1);
    Atomics.notify(slots, SERVED);
  }

  return {
    memory,
    async withLock(work) {
      await waitForLock(Atomics.add(slots, NEXT, 1));
      try {
        return await work();
      } finally {
        release();
      }
    },
    markBroken: () => void Atomics.store(slots, BROKEN, 1),
    isBroken: () => Atomics.load(slots, BROKEN) === 1,
    abandon() {
      Atomics.store(slots, ABANDONED, 1);
      release();
    },
  };
}
