// Every action, called with the right to one of several sources: a hidden source is the same as one that never existed. The calls are
// generated from the declarations, so an action that is added is called too.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Action, ActionDeps } from '../../../src/actions/action.ts';
import { actionList, type ActionName } from '../../../src/actions/actions.ts';
import { builtInPlaces } from '../../../src/core/gazetteer/built-in-places.ts';
import { restrictIndex } from '../../../src/compose/restrict-index.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createDocsFiles } from '../../../src/library/docs-files.ts';
import { createSearch } from '../../../src/search/search.ts';
import { requireRights } from '../../../src/serve/call-as.ts';
import { ANONYMOUS } from '../../../src/platform/access-token.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { Store } from '../../../src/store/port.ts';
import { restrictStore } from '../../../src/store/restricted/restrict-store.ts';
import { examples } from '../../feature/client/action-examples.table.ts';
import { openDatabase, type OpenDatabase } from '../../support/test-database.ts';
import { settlePages } from '../../support/qdrant-library.ts';
import { newDatabase } from '../../support/zombie-run.ts';
import { actionDeps } from '../../support/run-worker.ts';
import {
  fillRestrictedLibrary,
  HIDDEN,
  RIGHTS,
  SECRETS,
  UNKNOWN,
  VISIBLE,
  type HiddenIds,
} from './restricted-library.ts';

const CALLER = { ...ANONYMOUS, token: 'scoped', sources: RIGHTS };

/** Fields of inputs that refer to something of a source, and what they are set to. */
type References = Readonly<Record<string, unknown>>;

const hiddenReferences = ({ run, url, chunk }: HiddenIds): References => ({
  source: HIDDEN,
  run: String(run),
  url,
  target: chunk,
  name: HIDDEN,
  dir: '/nowhere',
});

const UNKNOWN_IDS: HiddenIds = { run: 987_654, url: 'https://zephya.dev/a', chunk: '0'.repeat(64) };

function inputOf({ name, input }: Action, references: References): Record<string, unknown> {
  const example = (examples[name as ActionName]?.input ?? {}) as Record<string, unknown>;
  const fields = Object.keys(input.shape).filter((field) => field in references);
  const own = Object.fromEntries(fields.map((field) => [field, references[field]]));
  return input.parse({ ...example, ...(name === 'list_changes' && { since: undefined, wait: 0 }), ...own });
}

describe.each(['sqlite', 'postgres'] as const)('%s', (engine) => {
  let opened: OpenDatabase;
  let remove: () => Promise<void>;
  let hidden: HiddenIds;
  let before: string;

  beforeAll(async () => {
    const created = await newDatabase(engine);
    ({ remove } = created);
    opened = await openDatabase(created.database);
    hidden = await fillRestrictedLibrary(opened.store);
    before = await stateOf(opened.store);
  }, 120_000);
  afterAll(async () => {
    await opened.store.close();
    await remove();
  });

  const depsFor = (): ActionDeps => {
    const visible = restrictStore(opened.store, RIGHTS);
    const index = createSegmentIndex(opened.store.segments);
    const deps = actionDeps(visible);
    return { ...deps, index: restrictIndex(index, visible), search: createSearch(visible, index), localAccess: null };
  };

  /** The result or the error, as text. */
  const outcomeOf = async (action: Action, references: References): Promise<string> => {
    try {
      requireRights(CALLER, action);
      return JSON.stringify(await action.run(inputOf(action, references), depsFor()));
    } catch (error) {
      return `${(error as { code?: string }).code ?? ''} ${String(error)}`;
    }
  };

  test.each(actionList.map((action) => [action.name, action] as const))(
    '%s shows nothing of a hidden source',
    { timeout: 60_000 },
    async (_, action) => {
      const unnamed = await outcomeOf(action, { target: UNKNOWN_IDS.chunk, dir: '/nowhere' });
      for (const secret of SECRETS) if (!unnamed.includes('courier')) expect(unnamed).not.toContain(secret);
      const ofHidden = await outcomeOf(action, hiddenReferences(hidden));
      const ofUnknown = await outcomeOf(action, { ...hiddenReferences(UNKNOWN_IDS), source: UNKNOWN, name: UNKNOWN });
      // An error names what was asked for. Apart from that, the two are the same.
      expect(withoutReferences(ofHidden, hidden)).toBe(withoutReferences(ofUnknown, UNKNOWN_IDS));
      expect(ofHidden).not.toContain('mongoose');
    },
  );

  test('the calls above changed nothing of the hidden sources', async () => {
    expect(await stateOf(opened.store)).toBe(before);
  });

  test('lists and counts are those of a library without the hidden sources', async () => {
    const visible = restrictStore(opened.store, RIGHTS);
    expect((await visible.sources.list()).map(({ name }) => name)).toEqual([VISIBLE]);
    expect(await visible.sources.count()).toBe(1);
    expect(await visible.stats.totalPages()).toBe(2);
    expect(await visible.sources.byName(HIDDEN)).toBeNull();
    expect((await visible.runs.list(100)).length).toBeLessThan((await opened.store.runs.list(100)).length);
    expect((await visible.sources.scheduled(5)).map(({ name }) => name)).toEqual([VISIBLE]);
    expect(await visible.runs.byId(hidden.run as never)).toBeNull();
    expect(await visible.webhooks.list()).toEqual([]);
    expect(await visible.runs.live()).toEqual([]);
    const hiddenVersion = (await opened.store.sources.byName(HIDDEN))!.versions[0]!.id;
    await expect(visible.pages.get(hiddenVersion, hidden.url as never)).rejects.toMatchObject({
      code: 'source.unknown',
    });
    await expect(visible.tokens.isAny()).rejects.toMatchObject({ code: 'http.forbidden' });
    await expect(visible.runs.lease('worker', 1000)).rejects.toMatchObject({ code: 'http.forbidden' });
  });

  test('llms.txt and the files of a source know the visible source only', async () => {
    const files = createDocsFiles(restrictStore(opened.store, RIGHTS), '0');
    const index = (await Array.fromAsync((await files.libraryIndex()).parts())).join('');
    expect(index).toContain(VISIBLE);
    for (const secret of SECRETS) expect(index).not.toContain(secret);
    const errorOf = (name: string): Promise<string> => files.sourceIndex(name).then(() => '', String);
    expect((await errorOf(HIDDEN)).replaceAll(HIDDEN, UNKNOWN)).toBe(await errorOf(UNKNOWN));
  });

  test('a short list of pages that mention a place is not shorter because of hidden pages', async () => {
    const { store } = opened;
    await store.gazetteer.save(builtInPlaces('countries'));
    const first = { slug: null, kind: null, countryCode: null, offset: 0, limit: 1 };
    const [place] = (await store.gazetteer.list(first)).places;
    const source = (await store.sources.byName(HIDDEN))!;
    // Newest first: this page comes before the visible one.
    await settlePages(store, [{ url: 'https://zephyr.dev/late', title: 'late', texts: ['a late page'] }], source);
    const { versions } = (await store.sources.byName(VISIBLE))!;
    const about = { place: place!.id, placeKind: place!.kind, method: 'name', source: 'text' } as const;
    const mentions = [{ ...about, start: 0, end: 1, context: 'x' }];
    await store.gazetteer.saveMentions(versions[0]!.id, pageUrl('https://open.dev/a'), mentions);
    await store.gazetteer.saveMentions(source.versions[0]!.id, pageUrl('https://zephyr.dev/late'), mentions);
    const urls = async ({ gazetteer }: Store): Promise<readonly string[]> =>
      (await gazetteer.pagesMentioning(place!.id, 1)).map(({ url }) => url);
    expect(await urls(store)).toEqual(['https://zephyr.dev/late']);
    expect(await urls(restrictStore(store, RIGHTS))).toEqual(['https://open.dev/a']);
  });
});

function withoutReferences(text: string, { run, url, chunk }: HiddenIds): string {
  return text
    .replaceAll(HIDDEN, '<source>')
    .replaceAll(UNKNOWN, '<source>')
    .replaceAll(url, '<url>')
    .replaceAll(new URL(url).host, '<host>')
    .replaceAll(chunk, '<chunk>')
    .replaceAll(new RegExp(String.raw`\b${run}\b`, 'g'), '<run>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"(?:elapsedMs|[a-zA-Z]*Seconds|rss|heapUsed|cpu\w+|uptime)":[\d.]+/g, '<measured>');
}

async function stateOf(store: Store): Promise<string> {
  const sources = (await store.sources.list()).filter(({ name }) => name !== VISIBLE);
  const stats = await store.stats.versions(sources.flatMap(({ versions }) => versions.map(({ id }) => id)));
  const runs = (await store.runs.list(100)).filter(({ source }) => sources.some(({ id }) => id === source));
  return JSON.stringify([sources, stats, runs.map(({ id, state }) => [id, state]), await store.webhooks.list()]);
}
