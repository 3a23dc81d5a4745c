// Reads a text/event-stream piece by piece. A frame may be cut anywhere between two pieces.

export interface Frame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Returns the frames that a piece completes. */
export function createFrameReader(): (piece: string) => Frame[] {
  let rest = '';
  return (piece) => {
    rest += piece;
    const frames: Frame[] = [];
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const frame = frameOf(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (frame !== null) frames.push(frame);
    }
    return frames;
  };
}

function frameOf(text: string): Frame | null {
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
