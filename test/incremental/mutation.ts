// What a mutation of a corpus site changed, and what a run found, in comparable form.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run, Store } from '../../src/store/port.ts';
import type { Corpora } from './corpora.ts';

export type Changes = Readonly<Record<'new' | 'changed' | 'gone' | 'moved', readonly string[]>>;

interface MutationFile {
  readonly changed: ReadonlyArray<{ readonly path: string }>;
  readonly added: ReadonlyArray<{ readonly path: string }>;
  readonly deleted: readonly string[];
  readonly moved: Readonly<Record<string, string>>;
}

/**
 * Of the pages stored before. New pages are linked from the front page: from its text, if that is marked as such, and
 * then it changes with them. Otherwise the links are at the end of its body, and whether that is content or a frame is
 * not defined.
 */
export function statedChanges(corpora: Corpora, site: string, seed: number, before: ReadonlySet<string>): Changes {
  const file = join(corpora.state, 'mutations', `${site}-${seed}.json`);
  const stated = JSON.parse(readFileSync(file, 'utf8')) as MutationFile;
  const known = (paths: readonly string[]): string[] => placesOf(paths).filter((place) => before.has(place));
  const frontChanges = stated.added.length > 0 && marksItsText(corpora, site);
  const fromKnown = Object.entries(stated.moved).filter(([from]) => before.has(placeOf(from)));
  return {
    new: placesOf([...stated.added.map(({ path }) => path), ...fromKnown.map(([, to]) => to)]),
    changed: known([...stated.changed.map(({ path }) => path), ...(frontChanges ? ['/'] : [])]),
    gone: known(stated.deleted),
    moved: known(Object.keys(stated.moved)),
  };
}

/** What may or may not have changed is left out of what is found, too. */
export function comparable(found: Changes, corpora: Corpora, site: string): Changes {
  return marksItsText(corpora, site) ? found : { ...found, changed: found.changed.filter((place) => place !== '/') };
}

function marksItsText(corpora: Corpora, site: string): boolean {
  return /<\/(?:article|main)>/i.test(readFileSync(join(corpora.site(site).root, 'index.html'), 'latin1'));
}

/** Gone or moved files count only if a page was stored for them. */
export async function foundChanges(store: Store, run: Run, before: ReadonlySet<string>): Promise<Changes> {
  const of = async (outcome: keyof Changes): Promise<string[]> => {
    const { urls } = await store.frontier.urls(run.id, { outcome, after: null, limit: 100_000 });
    return placesOf(urls.map(({ url }) => new URL(url).pathname));
  };
  const stored = async (outcome: 'gone' | 'moved'): Promise<string[]> =>
    (await of(outcome)).filter((place) => before.has(place));
  const aliases = new Set(await aliasPlaces(store, run));
  return {
    new: await of('new'),
    changed: await of('changed'),
    gone: await stored('gone'),
    moved: (await stored('moved')).filter((place) => !aliases.has(place)),
  };
}

/** Files of canonical pages, whichever of their URLs they have. */
async function aliasPlaces(store: Store, run: Run): Promise<string[]> {
  const { pages } = await store.pages.list(run.version, null, 100_000);
  return placesOf(pages.map(({ url }) => new URL(url).pathname));
}

export async function storedPlaces(store: Store, run: Run): Promise<ReadonlySet<string>> {
  return new Set(await aliasPlaces(store, run));
}

/** One file is served at several URLs. */
function placeOf(path: string): string {
  return decodeURIComponent(path)
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/');
}

function placesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map(placeOf))].toSorted();
}
