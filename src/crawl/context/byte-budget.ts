// Bounds the bytes of pages in work: asked for, waiting for a thread, being parsed, waiting to be settled. A page's tree is
// many times its size, so a count of pages says little: sixteen source listings of 10 MB are not sixteen articles.
//
// How long a page is, is known when it is here. Until then it counts as much as the long ones that came lately.

export interface ByteRoom {
  /** For one page; it takes nothing yet. */
  place(): Place;
}

export interface Place {
  /** Waits until a page as long as those before it has room. Nothing is asked before that. */
  enter(signal: AbortSignal): Promise<void>;
  /** The page is here: waits until it has room beside those that are being read, or is alone. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

interface Waiting {
  readonly fits: () => boolean;
  readonly go: () => void;
}

/** How fast long pages are forgotten, with each page that comes. */
const FADES = 0.9;

export function createByteRoom(maxBytes: number): ByteRoom {
  const entering: Waiting[] = [];
  const taking: Waiting[] = [];
  let inWork = 0;
  let inReading = 0;
  let expected = 0;

  /** In the order they came: a long page is not passed by short ones for ever. */
  function pump(): void {
    for (const queue of [taking, entering]) while (queue[0]?.fits() === true) queue.shift()?.go();
  }

  const waitIn = (queue: Waiting[], waiting: Waiting, signal: AbortSignal): Promise<void> =>
    waitInLine(queue, waiting, pump, signal);

  function place(): Place {
    let [counted, reading] = [0, 0];
    let isHere = false;
    const count = (bytes: number): void => {
      inWork += bytes - counted;
      counted = bytes;
    };
    return {
      enter: (signal) =>
        waitIn(
          entering,
          { fits: () => inWork === 0 || inWork + expected <= maxBytes, go: () => count(expected) },
          signal,
        ),
      take(bytes, signal) {
        expected = Math.max(bytes, expected * FADES);
        isHere = true;
        count(bytes);
        return waitIn(
          taking,
          { fits: () => inReading === 0 || inReading + bytes <= maxBytes, go: () => (inReading += reading = bytes) },
          signal,
        );
      },
      leave() {
        if (!isHere) expected *= FADES;
        count(0);
        inReading -= reading;
        reading = 0;
        pump();
      },
    };
  }

  return { place };
}

/** Resolves when it was its turn and it fitted; whoever stops waiting holds up nobody behind it. */
function waitInLine(
  queue: Waiting[],
  { fits, go: begin }: Waiting,
  pump: () => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      queue.splice(queue.indexOf(waiting), 1);
      reject(signal.reason as Error);
      pump();
    };
    const go = (): void => {
      signal.removeEventListener('abort', giveUp);
      begin();
      resolve();
    };
    const waiting: Waiting = { fits, go };
    signal.addEventListener('abort', giveUp, { once: true });
    queue.push(waiting);
    pump();
  });
}
