// The sources that a caller may use, with checks for sources, versions and runs. Everything that the restricted store returns has passed
// one of these checks.

import { createLruCache, type LruCache } from '../../core/lru-cache.ts';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';
import type { RunId, SourceId, VersionId } from '../../core/model/run.ts';
import { mayUseSource, type SourceRights } from '../../core/model/source-rights.ts';
import type { Store } from '../port.ts';
import type { Run } from '../port/runs.ts';
import type { Source } from '../port/sources.ts';

export interface VisibleSources {
  /** The visible sources: the same array while nothing has changed. */
  list(): Promise<readonly Source[]>;
  mayUse(name: string): boolean;
  hasSource(id: SourceId): Promise<boolean>;
  hasVersion(id: VersionId): Promise<boolean>;
  /** The visible ones of these versions. */
  versions(ids: readonly VersionId[]): Promise<readonly VersionId[]>;
  hasRun(id: RunId): Promise<boolean>;
  /** The sources of these runs. */
  runs(runs: readonly Run[]): Promise<readonly Run[]>;
}

interface Selected {
  readonly sources: readonly Source[];
  readonly ids: ReadonlySet<SourceId>;
  readonly versions: ReadonlySet<VersionId>;
}

/** Number of different rights that are cached. */
const MAX_SELECTIONS = 200;

/** The list of sources is the same array until a source changes, so a selection is made once for all requests in between. */
const selections = new WeakMap<readonly Source[], LruCache<string, Selected>>();

function select(all: readonly Source[], rights: SourceRights, key: string): Selected {
  const ofList = selections.get(all) ?? createLruCache<string, Selected>(MAX_SELECTIONS);
  selections.set(all, ofList);
  const known = ofList.get(key);
  if (known !== undefined) return known;
  const sources = all.filter(({ name }) => mayUseSource(rights, name));
  const ids = new Set(sources.map(({ id }) => id));
  const versions = new Set(sources.flatMap((source) => source.versions.map(({ id }) => id)));
  const selected = { sources, ids, versions };
  ofList.set(key, selected);
  return selected;
}

/** For one call. Caches visible sources, and looks up the others again, because they may have been added since. */
export function createVisibleSources({ sources, runs }: Pick<Store, 'sources' | 'runs'>, rights: SourceRights) {
  const key = JSON.stringify(rights);
  let selected: Selected | null = null;
  const visibleRuns = new Set<RunId>();

  async function read(): Promise<Selected> {
    return (selected = select(await sources.list(), rights, key));
  }

  async function has(isIn: (one: Selected) => boolean): Promise<boolean> {
    return (selected !== null && isIn(selected)) || isIn(await read());
  }

  const visible: VisibleSources = {
    list: async () => (await read()).sources,
    mayUse: (name) => mayUseSource(rights, name),
    hasSource: (id) => has(({ ids }) => ids.has(id)),
    hasVersion: (id) => has(({ versions }) => versions.has(id)),
    // One decision for all of them: a search asks about each version of a library.
    async versions(ids) {
      const known = selected;
      if (known !== null && ids.every((id) => known.versions.has(id))) return ids;
      const { versions } = await read();
      return ids.filter((id) => versions.has(id));
    },
    async hasRun(id) {
      if (visibleRuns.has(id)) return true;
      const run = await runs.byId(id);
      if (run === null || !(await visible.hasSource(run.source))) return false;
      visibleRuns.add(id);
      return true;
    },
    async runs(all) {
      const admitted: Run[] = [];
      for (const run of all) if (await visible.hasSource(run.source)) admitted.push(run);
      return admitted;
    },
  };
  return visible;
}

/** The same error as for a source that never existed. */
export function notFound(): PinakesError {
  return pinakesError('source.unknown', { source: '' });
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Methods whose first argument `check` decides about; they raise the error of an unknown source otherwise. `Port` is a part of the store.
 */
export function guarded<Port extends object, Name extends keyof Port>(
  port: Port,
  names: readonly Name[],
  check: (id: never) => Promise<boolean>,
): Pick<Port, Name> {
  const methods = names.map((name): readonly [Name, Method] => [
    name,
    async (id, ...more) => {
      if (!(await check(id as never))) throw notFound();
      return (port[name] as Method)(id, ...more);
    },
  ]);
  return Object.fromEntries(methods) as Pick<Port, Name>;
}

/** Closed by default: a method that is not listed rejects, so one that is added later stays closed until its rights are decided. */
export function closedBut<Port extends object>(name: string, open: Partial<Port>): Port {
  return new Proxy(open, {
    get: (target, key) =>
      key in target || typeof key === 'symbol'
        ? Reflect.get(target, key)
        : () =>
            Promise.reject(
              pinakesError('http.forbidden', { reason: `This needs the right to all sources (${name}.${key})` }),
            ),
  }) as Port;
}
