// A library with a source that a caller may use and others that it may not, and what must never reach that caller.

import type { Store } from '../../../src/store/port.ts';
import { fillStore } from '../../support/fill-store.ts';
import { settlePages } from '../../support/qdrant-library.ts';
import { indexAll } from '../../support/run-fixture.ts';

export const RIGHTS = ['open-*'];
export const VISIBLE = 'open-guide';
export const HIDDEN = 'zephyrquux';
/** No source has this name. It is as long, and as far from the others. */
export const UNKNOWN = 'zephyrqaax';

/** Names, hosts and words of the hidden sources. */
export const SECRETS = [HIDDEN, 'zephyr.dev', 'x.dev', 'y.dev', 'mongoose', 'a text of many pages', 'removed-source'];

export interface HiddenIds {
  readonly run: number;
  readonly url: string;
  readonly chunk: string;
}

export async function fillRestrictedLibrary(store: Store): Promise<HiddenIds> {
  await fillStore(store);
  const add = async (name: string, host: string, text: string): Promise<void> => {
    const definition = { name, kind: 'web', startUrl: `https://${host}/`, settings: {} } as const;
    const source = await store.sources.add(definition, '1.0', { afterMs: 60_000 });
    const pages = ['a', 'b'].map((path) => ({
      url: `https://${host}/${path}`,
      title: text,
      texts: [`${text} ${path}`],
    }));
    await settlePages(store, pages, source);
  };
  await add(HIDDEN, 'zephyr.dev', 'the mongoose and its shared burrow');
  await add(VISIBLE, 'open.dev', 'the open guide with a shared burrow');
  await indexAll(store);
  const source = (await store.sources.byName(HIDDEN))!;
  const [run] = await store.runs.list(1, source.id);
  await store.webhooks.add({
    name: 'hidden-hook',
    url: 'https://hooks.zephyr.dev/',
    source: HIDDEN,
    secret: 's',
    position: 0,
  });
  await store.journal.reportProblem({
    run: run!.id,
    kind: 'fetch-failed',
    severity: 'warning',
    scope: 'url',
    target: 'https://zephyr.dev/',
    message: 'the mongoose is away',
    details: {},
  } as never);
  const url = 'https://zephyr.dev/a';
  const [chunk] = await store.pages.chunksOf(source.versions[0]!.id, url as never);
  return { run: run!.id, url, chunk: chunk!.id };
}
