// The changes of a mutated corpus site and the findings of a run, in a comparable format.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../../src/store/port.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import type { Corpora } from '../../support/corpora.ts';

export type Changes = Readonly<Record<'new' | 'changed' | 'removed' | 'moved', readonly string[]>>;

interface MutationFile {
  readonly changed: ReadonlyArray<{ readonly path: string }>;
  readonly added: ReadonlyArray<{ readonly path: string }>;
  readonly deleted: readonly string[];
  readonly moved: Readonly<Record<string, string>>;
}

/**
 * The mutated pages among those stored before. New pages are linked from the front page: from its text, if that is marked as such, and
 * then it changes with them. Otherwise the links are at the end of its body, and whether that is content or a frame is
 * not defined.
 */
export function statedChanges(corpora: Corpora, site: string, seed: number, before: ReadonlySet<string>): Changes {
  const file = join(corpora.state, 'mutations', `${site}-${seed}.json`);
  const stated = JSON.parse(readFileSync(file, 'utf8')) as MutationFile;
  const known = (paths: readonly string[]): string[] => locationsOf(paths).filter((location) => before.has(location));
  const frontChanges = stated.added.length > 0 && marksItsText(corpora, site);
  const fromKnown = Object.entries(stated.moved).filter(([from]) => before.has(locationOf(from)));
  return {
    new: locationsOf([...stated.added.map(({ path }) => path), ...fromKnown.map(([, to]) => to)]),
    changed: known([...stated.changed.map(({ path }) => path), ...(frontChanges ? ['/'] : [])]),
    removed: known(stated.deleted),
    moved: known(Object.keys(stated.moved)),
  };
}

/** What may or may not have changed is left out of what is found, too. */
export function comparable(found: Changes, corpora: Corpora, site: string): Changes {
  return marksItsText(corpora, site)
    ? found
    : { ...found, changed: found.changed.filter((location) => location !== '/') };
}

function marksItsText(corpora: Corpora, site: string): boolean {
  return /<\/(?:article|main)>/i.test(readFileSync(join(corpora.site(site).root, 'index.html'), 'latin1'));
}

/** Gone or moved files count only if a page was stored for them. */
export async function foundChanges(store: Store, run: Run, before: ReadonlySet<string>): Promise<Changes> {
  const of = async (outcome: keyof Changes): Promise<string[]> => {
    const { urls } = await store.frontier.urls(run.id, { outcome, after: null, limit: 100_000 });
    return locationsOf(urls.map(({ url }) => new URL(url).pathname));
  };
  const stored = async (outcome: 'removed' | 'moved'): Promise<string[]> =>
    (await of(outcome)).filter((location) => before.has(location));
  const aliases = new Set(await aliasLocations(store, run));
  return {
    new: await of('new'),
    changed: await of('changed'),
    removed: await stored('removed'),
    moved: (await stored('moved')).filter((location) => !aliases.has(location)),
  };
}

/** Files of canonical pages, whichever of their URLs they have. */
async function aliasLocations(store: Store, run: Run): Promise<string[]> {
  const { pages } = await store.pages.list(run.version, null, 100_000);
  return locationsOf(pages.map(({ url }) => new URL(url).pathname));
}

export async function storedLocations(store: Store, run: Run): Promise<ReadonlySet<string>> {
  return new Set(await aliasLocations(store, run));
}

/** One file is served at several URLs. */
function locationOf(path: string): string {
  return decodeURIComponent(path)
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/');
}

function locationsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map(locationOf))].toSorted();
}
