// Parses a text/event-stream incrementally. A frame may be split anywhere between two pieces of text.

export interface SseFrame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Returns the frames that the next piece of text completes. */
export function createSseParser(): (text: string) => SseFrame[] {
  let rest = '';
  return (text) => {
    rest += text;
    const frames: SseFrame[] = [];
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const frame = parseFrame(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (frame !== null) frames.push(frame);
    }
    return frames;
  };
}

function parseFrame(text: string): SseFrame | null {
  let event = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, id, data: data.join('\n') };
}
