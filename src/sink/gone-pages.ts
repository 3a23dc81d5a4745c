// The pages that a sink has and its library no longer has. A copy of many millions of pages is compared in parts, so that memory is bounded.

import type { Library } from '../client/library.ts';
import type { PageKey, Sink } from './sink.ts';

type LibraryCall = Pick<Library, 'call'>;

/** Keys that are held in memory: one part of the copy. */
const MAX_KEYS = 1_000_000;
const CHANGES_PER_CALL = 1000;

export function keyOf({ versionId, url }: PageKey): string {
  return `${versionId} ${url}`;
}

/** In few batches, and usually in one. The sink is read first: what is added to the library in the meantime is not in it. */
export async function* gonePages(
  library: LibraryCall,
  sink: Pick<Sink, 'stored'>,
  signal: AbortSignal,
  maxKeys = MAX_KEYS,
): AsyncGenerator<readonly PageKey[]> {
  const whole = await readPart(sink, { part: 0, parts: 1 }, maxKeys, signal);
  const parts = Math.ceil(whole.read / maxKeys);
  for (let part = 0; part < parts; part += 1) {
    const { stored } = parts === 1 ? whole : await readPart(sink, { part, parts }, Infinity, signal);
    await forgetListed(library, stored, signal);
    if (stored.size > 0) yield [...stored.values()];
  }
}

/** The keys of one part; none if there are more than `maxKeys`. */
async function readPart(
  sink: Pick<Sink, 'stored'>,
  { part, parts }: { readonly part: number; readonly parts: number },
  maxKeys: number,
  signal: AbortSignal,
): Promise<{ readonly stored: Map<string, PageKey>; readonly read: number }> {
  const stored = new Map<string, PageKey>();
  let read = 0;
  for await (const { versionId, url } of sink.stored()) {
    signal.throwIfAborted();
    read += 1;
    if (read > maxKeys) stored.clear();
    const key = keyOf({ versionId, url });
    if (read <= maxKeys && partOf(key, parts) === part) stored.set(key, { versionId, url });
  }
  return { stored, read };
}

async function forgetListed(library: LibraryCall, stored: Map<string, PageKey>, signal: AbortSignal): Promise<void> {
  for (let since: string | undefined; stored.size > 0;) {
    const input = { ...(since === undefined ? {} : { since }), limit: CHANGES_PER_CALL };
    const { changes, position } = await library.call('list_changes', input, { signal });
    for (const change of changes) if (change.kind !== 'list-end') stored.delete(keyOf(change));
    if (changes.some(({ kind }) => kind === 'list-end')) return;
    since = position;
  }
}

/** FNV-1a: keys of one site, which begin alike, are spread evenly. */
function partOf(key: string, parts: number): number {
  if (parts === 1) return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % parts;
}
