import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Library } from '../client/library.ts';
import { runSink } from './follow-library.ts';
import type { Sink, SinkPage } from './sink.ts';

const WRITE_MS = 100;

/** A library in which a page changes with each call. */
function changingLibrary(changes: number): Pick<Library, 'call'> {
  let position = 0;
  const call = async (action: string, input: { readonly wait?: number }) => {
    if (action === 'list_changes' && position < changes) {
      position += 1;
      await sleep(5);
      const change = { kind: 'removed', source: 's', version: '', versionId: 1, url: `https://x.dev/${position % 3}` };
      return { changes: [{ ...change, position: String(position) }], position: String(position), hasMore: false };
    }
    await sleep((input.wait ?? 0) * 1000);
    return { changes: [], position: String(position), hasMore: false };
  };
  return { call } as unknown as Pick<Library, 'call'>;
}

test.each([
  ['rewrites its whole copy gets few batches, each with the newest state of a page', true],
  ['writes pages alone gets each change', false],
] as const)(
  'a sink that %s (finding D21)',
  async (_, rewritesAll) => {
    const written: Array<readonly SinkPage[]> = [];
    let saved: string | null = null;
    const stop = new AbortController();
    const sink: Sink = {
      wantsVectors: false,
      batchBytes: 1e6,
      ...(rewritesAll && { rewritesAll }),
      open: async () => '0',
      async write(pages) {
        written.push(pages);
        await sleep(WRITE_MS);
      },
      async save(position) {
        saved = position;
        if (position === '30') stop.abort();
      },
      async *stored() {},
      notes: () => [],
      close: async () => undefined,
    };
    await runSink(changingLibrary(30), sink, { follow: true, signal: stop.signal });
    expect(saved).toBe('30');
    if (!rewritesAll) return expect(written).toHaveLength(30);
    expect(written.length).toBeLessThan(6);
    for (const pages of written) expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length);
  },
  20_000,
);
