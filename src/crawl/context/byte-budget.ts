// Bounds the bytes of pages in flight: being fetched, waiting for a thread, being parsed, waiting to be settled. A
// page's tree is many times its size, so a number of pages is not a useful limit: sixteen source listings of 10 MB are
// not sixteen articles.
//
// A page's size is unknown until it is downloaded; until then it is charged a decaying maximum of recent sizes.

import { createWaitQueue } from '../../platform/semaphore.ts';

export interface ByteBudget {
  /** For one page; reserves nothing yet. */
  reservation(): ByteReservation;
}

export interface ByteReservation {
  /** Waits until a page of the expected size fits. Nothing is fetched before that. */
  reserve(signal: AbortSignal): Promise<void>;
  /**
   * The page has been downloaded: waits until it fits next to those being parsed, or is alone. Called again when it was
   * rendered, for its new size.
   */
  commit(bytes: number, signal: AbortSignal): Promise<void>;
  release(): void;
}

/** Decay of the expected size with each page. */
const DECAY = 0.9;

export function createByteBudget(maxBytes: number): ByteBudget {
  const reserving = createWaitQueue();
  const committing = createWaitQueue();
  let inFlight = 0;
  let inParsing = 0;
  let expectedBytes = 0;

  function reservation(): ByteReservation {
    let [counted, parsing] = [0, 0];
    let isDownloaded = false;
    const count = (bytes: number): void => {
      inFlight += bytes - counted;
      counted = bytes;
    };
    const leaveParsing = (): void => {
      inParsing -= parsing;
      parsing = 0;
    };
    return {
      reserve: (signal) =>
        reserving.wait(
          { fits: () => inFlight === 0 || inFlight + expectedBytes <= maxBytes, begin: () => count(expectedBytes) },
          signal,
        ),
      commit(bytes, signal) {
        expectedBytes = Math.max(bytes, expectedBytes * DECAY);
        isDownloaded = true;
        count(bytes);
        leaveParsing();
        const fits = (): boolean => inParsing === 0 || inParsing + bytes <= maxBytes;
        const begun = committing.wait({ fits, begin: () => (inParsing += parsing = bytes) }, signal);
        // Its real size may leave room for others.
        reserving.advance();
        return begun;
      },
      release() {
        if (!isDownloaded) expectedBytes *= DECAY;
        count(0);
        leaveParsing();
        committing.advance();
        reserving.advance();
      },
    };
  }

  return { reservation };
}
