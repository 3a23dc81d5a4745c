// A client of the event stream.

/** Less than a test may take, so that its message is that of the stream. */
const MAX_WAIT_MS = 100_000;

export interface StreamFrame {
  readonly id: number | null;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamClient {
  readonly status: number;
  readonly frames: readonly StreamFrame[];
  /** Returns when a frame matches, which may have arrived already. */
  until(fits: (frame: StreamFrame) => boolean): Promise<StreamFrame>;
  close(): void;
}

export async function openStream(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const stop = new AbortController();
  const response = await fetch(url, { signal: stop.signal, headers });
  const frames: StreamFrame[] = [];
  const waiting = new Set<() => void>();
  void readFrames(response, (frame) => {
    frames.push(frame);
    for (const check of waiting) check();
  }).catch(() => undefined);
  return {
    status: response.status,
    frames,
    until(fits) {
      const { promise, resolve, reject } = Promise.withResolvers<StreamFrame>();
      const check = (): void => {
        const found = frames.find(fits);
        if (found !== undefined) resolve(found);
      };
      const timer = setTimeout(
        () => reject(new Error(`it never came; there was: ${JSON.stringify(frames).slice(0, 2000)}`)),
        MAX_WAIT_MS,
      );
      waiting.add(check);
      check();
      return promise.finally(() => {
        waiting.delete(check);
        clearTimeout(timer);
      });
    },
    close: () => stop.abort(),
  };
}

/** Returns when the stream ends, and raises when it breaks. */
export async function readFrames(response: Response, report: (frame: StreamFrame) => void): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const frame = frameOf(text.slice(0, end));
      text = text.slice(end + 2);
      if (frame !== null) report(frame);
    }
  }
}

function frameOf(text: string): StreamFrame | null {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  const id = fields.get('id');
  return {
    id: id === undefined ? null : Number(id),
    event: fields.get('event') ?? '',
    data: JSON.parse(data) as StreamFrame['data'],
  };
}
