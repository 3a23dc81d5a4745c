// Whose turn it is to write, among the threads of the process that owns a database. SQLite would let a thread that finds
// another one writing sleep, and a thread that answers people must not sleep: here it waits as it waits for anything else,
// and whoever came first writes first.

export interface WriteTurns {
  /** What another thread needs to take part. */
  readonly memory: SharedArrayBuffer;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** A write of any thread has failed in a way that leaves the file unknown: nobody may write any more. */
  markBroken(): void;
  isBroken(): boolean;
  /** A thread has ended, perhaps in its turn: from now on SQLite's own lock is all there is. */
  giveUp(): void;
}

/** Places of the memory: the next ticket, the ticket whose turn it is, and two marks. */
const NEXT = 0;
const SERVED = 1;
const BROKEN = 2;
const GIVEN_UP = 3;
const PLACES = 4;

export function createWriteTurns(memory = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)): WriteTurns {
  const places = new Int32Array(memory);

  async function untilServed(ticket: number): Promise<void> {
    for (;;) {
      const served = Atomics.load(places, SERVED);
      if (served === ticket || Atomics.load(places, GIVEN_UP) === 1) return;
      await Atomics.waitAsync(places, SERVED, served).value;
    }
  }

  function passOn(): void {
    Atomics.add(places, SERVED, 1);
    Atomics.notify(places, SERVED);
  }

  return {
    memory,
    async inTurn(work) {
      await untilServed(Atomics.add(places, NEXT, 1));
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    markBroken: () => void Atomics.store(places, BROKEN, 1),
    isBroken: () => Atomics.load(places, BROKEN) === 1,
    giveUp() {
      Atomics.store(places, GIVEN_UP, 1);
      passOn();
    },
  };
}
