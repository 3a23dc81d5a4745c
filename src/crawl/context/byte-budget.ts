// Bounds the bytes of pages in flight: being fetched, waiting for a thread, being parsed, waiting to be settled. A
// page's tree is many times its size, so a number of pages is not a useful limit: sixteen source listings of 10 MB are
// not sixteen articles.
//
// A page's size is unknown until it is downloaded; until then it is charged a decaying maximum of recent sizes.

export interface ByteBudget {
  /** For one page; reserves nothing yet. */
  reservation(): Reservation;
}

export interface Reservation {
  /** Waits until a page of the expected size fits. Nothing is fetched before that. */
  reserve(signal: AbortSignal): Promise<void>;
  /** The page has been downloaded: waits until it fits next to those being parsed, or is alone. */
  commit(bytes: number, signal: AbortSignal): Promise<void>;
  release(): void;
}

interface Waiter {
  readonly fits: () => boolean;
  readonly go: () => void;
}

/** Decay of the expected size with each page. */
const DECAY = 0.9;

export function createByteBudget(maxBytes: number): ByteBudget {
  const reserving: Waiter[] = [];
  const committing: Waiter[] = [];
  let inFlight = 0;
  let inParsing = 0;
  let expectedBytes = 0;

  /** First in, first out: a long page is not overtaken by short ones for ever. */
  function pump(): void {
    for (const queue of [committing, reserving]) while (queue[0]?.fits() === true) queue.shift()?.go();
  }

  const waitIn = (queue: Waiter[], waiter: Waiter, signal: AbortSignal): Promise<void> =>
    waitInQueue(queue, waiter, pump, signal);

  function reservation(): Reservation {
    let [counted, parsing] = [0, 0];
    let isDownloaded = false;
    const count = (bytes: number): void => {
      inFlight += bytes - counted;
      counted = bytes;
    };
    return {
      reserve: (signal) =>
        waitIn(
          reserving,
          { fits: () => inFlight === 0 || inFlight + expectedBytes <= maxBytes, go: () => count(expectedBytes) },
          signal,
        ),
      commit(bytes, signal) {
        expectedBytes = Math.max(bytes, expectedBytes * DECAY);
        isDownloaded = true;
        count(bytes);
        return waitIn(
          committing,
          { fits: () => inParsing === 0 || inParsing + bytes <= maxBytes, go: () => (inParsing += parsing = bytes) },
          signal,
        );
      },
      release() {
        if (!isDownloaded) expectedBytes *= DECAY;
        count(0);
        inParsing -= parsing;
        parsing = 0;
        pump();
      },
    };
  }

  return { reservation };
}

/** Resolves at the head of the queue as soon as it fits; an aborted waiter does not block those behind it. */
function waitInQueue(
  queue: Waiter[],
  { fits, go: begin }: Waiter,
  pump: () => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      queue.splice(queue.indexOf(waiter), 1);
      reject(signal.reason as Error);
      pump();
    };
    const go = (): void => {
      signal.removeEventListener('abort', onAbort);
      begin();
      resolve();
    };
    const waiter: Waiter = { fits, go };
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(waiter);
    pump();
  });
}
