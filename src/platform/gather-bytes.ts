// Gathers small pieces and hands them on together: an archive comes in thousands of them.

export interface Gathering {
  readonly add: (bytes: Uint8Array) => Promise<void>;
  /** Hands on what waits, be it nothing. */
  readonly flush: () => Promise<void>;
}

export function gatherBytes(atOnce: number, write: (gathered: Uint8Array) => Promise<unknown>): Gathering {
  let pieces: Uint8Array[] = [];
  let waiting = 0;

  async function flush(): Promise<void> {
    const gathered = Buffer.concat(pieces);
    pieces = [];
    waiting = 0;
    await write(gathered);
  }

  return {
    async add(bytes) {
      pieces.push(bytes);
      waiting += bytes.byteLength;
      if (waiting >= atOnce) await flush();
    },
    flush,
  };
}
