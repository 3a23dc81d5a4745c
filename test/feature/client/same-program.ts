// One program for both entries: what it prints must not depend on where the library is.

import type { Library } from '../../../src/index.ts';

export interface Answers {
  readonly states: readonly string[];
  readonly state: string;
  readonly pages: number;
  readonly events: readonly string[];
  readonly passages: ReadonlyArray<readonly [url: string, text: string]>;
  readonly urls: readonly string[];
  readonly chunks: readonly string[];
  readonly read: string;
  readonly bundle: boolean;
  readonly sources: readonly string[];
  readonly violations: number;
  readonly failures: readonly string[];
}

export async function useLibrary(library: Library, site: string): Promise<Answers> {
  const run = await library.add({ url: site, name: 'courier' });
  const states: string[] = [];
  for await (const { state } of run.progress()) if (states.at(-1) !== state) states.push(state);
  const { state, counts } = await run.done();
  const events: string[] = [];
  for await (const { kind, url } of run.events()) events.push(`${kind} ${url ?? ''}`);
  const { passages } = await library.search('how long does the pool keep a connection');
  const { text } = await library.read(passages[0]?.chunkId ?? '');
  const pages = await Array.fromAsync(library.pages('courier'), ({ url }) => url);
  const chunks = await Array.fromAsync(library.chunks({ source: 'courier', pageLimit: 2 }), ({ id }) => id);
  const bundle = await Array.fromAsync(library.export('courier'));
  const sources = await library.sources.list();
  const { violations } = await library.verify();
  await library.work();
  return {
    states: states.filter((one) => one === 'completed'),
    state,
    pages: counts.new,
    events: events.toSorted(),
    passages: passages.map((passage) => [passage.url, passage.text] as const),
    urls: pages.toSorted(),
    chunks: chunks.toSorted(),
    read: text,
    bundle: Buffer.concat(bundle).subarray(0, 2).toString() === 'PK',
    sources: sources.map(({ source, status }) => `${source} ${status}`),
    violations: violations.length,
    failures: await Promise.all([
      failureOf(library.search('')),
      failureOf(library.search({ query: 'pool', source: 'currier' })),
      failureOf(library.add({ url: site, name: 'courier' })),
      failureOf(library.run(4711).status()),
      failureOf(library.call('search_docs', { query: 'pool', limit: 51 })),
      failureOf(library.call('search_docs', MISSPELLED)),
      failureOf(library.search('pool', { signal: AbortSignal.abort(new Error('no longer wanted')) })),
    ]),
  };
}

const MISSPELLED = { query: 'pool', lmit: 5 };

async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason as Error & { code?: string; nextStep?: string },
  );
  return error === null ? 'none' : `${error.name} ${error.code ?? ''}: ${error.message} (${error.nextStep ?? ''})`;
}
