// One stream of events for the whole page. It is read with fetch, so that a token can be sent; when it breaks it comes back
// after the last event that arrived, so nothing is lost.

import { authorization } from '../api/client.ts';
import { createFrameReader, type Frame } from './sse-parser.ts';

export interface StreamHandlers {
  /** The number after which the stream shall go on; null at the first time. */
  readonly after: () => number | null;
  readonly onOpen: () => void;
  readonly onFrames: (frames: readonly Frame[]) => void;
  readonly onLost: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
/** The server says something every 15 seconds; a stream that is silent for longer is dead. */
const SILENCE_MS = 40_000;

export function keepStreaming(handlers: StreamHandlers, signal: AbortSignal): void {
  let waitMs = FIRST_WAIT_MS;
  const again = async (): Promise<void> => {
    while (!signal.aborted) {
      await stream({ ...handlers, onOpen: () => ((waitMs = FIRST_WAIT_MS), handlers.onOpen()) }, signal).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      handlers.onLost();
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  };
  void again();
}

async function stream({ after, onOpen, onFrames }: StreamHandlers, signal: AbortSignal): Promise<void> {
  const broken = new AbortController();
  const seen = after();
  const headers = { ...authorization(), ...(seen !== null && { 'last-event-id': String(seen) }) };
  const response = await fetch('/events', { headers, signal: AbortSignal.any([signal, broken.signal]) });
  if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`);
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = createFrameReader();
  let silence = setTimeout(() => broken.abort(), SILENCE_MS);
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(() => broken.abort(), SILENCE_MS);
      const frames = read(piece.value);
      if (frames.length > 0) onFrames(frames);
    }
  } finally {
    clearTimeout(silence);
  }
}
