// One event stream for the whole page. It uses fetch, so that a token can be sent. After a disconnect it resumes after the last
// event received, so nothing is lost.

import { authorization } from '../api/client.ts';
import { createSseParser, type SseFrame } from './sse-parser.ts';

export interface StreamHandlers {
  /** The sequence number to resume after; null on the first connection. */
  readonly lastSeq: () => number | null;
  readonly onOpen: () => void;
  readonly onFrames: (frames: readonly SseFrame[]) => void;
  /** `isRefused` if the server requires another token: it responds, but rejects this one. */
  readonly onDisconnect: (isRefused: boolean) => void;
}

const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 8000;
/** The server sends something every 15 seconds; a stream that is silent for longer is dead. */
const IDLE_TIMEOUT_MS = 40_000;

export function openEventStream(handlers: StreamHandlers, signal: AbortSignal): void {
  let delayMs = MIN_RETRY_DELAY_MS;
  const reconnectLoop = async (): Promise<void> => {
    while (!signal.aborted) {
      const onOpen = (): void => {
        delayMs = MIN_RETRY_DELAY_MS;
        handlers.onOpen();
      };
      const isRefused = await stream({ ...handlers, onOpen }, signal).catch(() => false);
      if (signal.aborted) return;
      handlers.onDisconnect(isRefused);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS);
    }
  };
  void reconnectLoop();
}

/** Returns whether the token was refused. */
async function stream({ lastSeq, onOpen, onFrames }: StreamHandlers, signal: AbortSignal): Promise<boolean> {
  const timedOut = new AbortController();
  const resumeAfter = lastSeq();
  const headers = { ...authorization(), ...(resumeAfter !== null && { 'last-event-id': String(resumeAfter) }) };
  const response = await fetch('/events', { headers, signal: AbortSignal.any([signal, timedOut.signal]) });
  if (response.status === 401) return true;
  if (!response.ok || response.body === null)
    throw new Error(`the event stream responded with status ${response.status}`);
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parse = createSseParser();
  let idleTimer = setTimeout(() => timedOut.abort(), IDLE_TIMEOUT_MS);
  try {
    for (let result = await reader.read(); !result.done; result = await reader.read()) {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => timedOut.abort(), IDLE_TIMEOUT_MS);
      const frames = parse(result.value);
      if (frames.length > 0) onFrames(frames);
    }
  } finally {
    clearTimeout(idleTimer);
  }
  return false;
}
