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
  /** The same, and what begins to wait from now on has a new lock, with its own memory: for the thread that takes the place of the other. */
  renew(): void;
}

/** Slots of the shared memory: the next ticket, the ticket that holds the lock, and two flags. */
const NEXT = 0;
const SERVED = 1;
const BROKEN = 2;
const ABANDONED = 3;
const SLOTS = 4;

const newMemory = (): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);

type Slots = Int32Array<SharedArrayBuffer>;

async function waitForLock(slots: Slots, ticket: number): Promise<void> {
  for (;;) {
    const served = Atomics.load(slots, SERVED);
    if (served === ticket || Atomics.load(slots, ABANDONED) === 1) return;
    await Atomics.waitAsync(slots, SERVED, served).value;
  }
}

function release(slots: Slots): void {
  Atomics.add(slots, SERVED, 1);
  Atomics.notify(slots, SERVED);
}

export function createWriteLock(memory = newMemory()): WriteLock {
  let current = new Int32Array(memory);

  function abandon(): void {
    Atomics.store(current, ABANDONED, 1);
    release(current);
  }

  return {
    get memory() {
      return current.buffer;
    },
    async withLock(work) {
      const slots = current;
      await waitForLock(slots, Atomics.add(slots, NEXT, 1));
      try {
        return await work();
      } finally {
        release(slots);
      }
    },
    markBroken: () => void Atomics.store(current, BROKEN, 1),
    isBroken: () => Atomics.load(current, BROKEN) === 1,
    abandon,
    renew() {
      abandon();
      const next = new Int32Array(newMemory());
      Atomics.store(next, BROKEN, Atomics.load(current, BROKEN));
      current = next;
    },
  };
}
