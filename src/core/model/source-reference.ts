// How a user names a source: by its name, with a version after an @, or by the name of its package alone.

export interface NamedSource<Source> {
  readonly source: Source;
  /** Undefined if the reference names no version. */
  readonly version: string | undefined;
}

const PACKAGE = /^[a-z]+:/;

/**
 * `npm:zod`, `npm:zod@3.25.1`, or `zod` where no other ecosystem has a package of that name. A source whose whole name is the
 * reference comes first, since names may contain an @, but not before the version of a package: projects pin those.
 */
export function findSource<Source extends { readonly name: string }>(
  sources: readonly Source[],
  reference: string,
): NamedSource<Source> | undefined {
  return createSourceFinder(sources)(reference);
}

type SourceFinder<Source> = (reference: string) => NamedSource<Source> | undefined;

/** A list that is kept, such as that of all sources, is read once. */
const finders = new WeakMap<readonly object[], SourceFinder<unknown>>();

/** For many references: a query may name a thousand, of twenty thousand sources. */
export function createSourceFinder<Source extends { readonly name: string }>(
  sources: readonly Source[],
): SourceFinder<Source> {
  const known = finders.get(sources) as SourceFinder<Source> | undefined;
  const finder = known ?? indexNames(sources);
  finders.set(sources, finder);
  return finder;
}

function indexNames<Source extends { readonly name: string }>(sources: readonly Source[]): SourceFinder<Source> {
  const byName = new Map(sources.map((source) => [source.name, source]));
  const packages = Map.groupBy(
    sources.filter(({ name }) => PACKAGE.test(name)),
    ({ name }) => name.slice(name.indexOf(':') + 1),
  );
  const named = (name: string): Source | undefined => {
    const [only, ...others] = packages.get(name) ?? [];
    return byName.get(name) ?? (others.length === 0 ? only : undefined);
  };
  return (reference) => {
    const at = reference.lastIndexOf('@');
    const pinned = PACKAGE.test(reference) ? byName.get(reference.slice(0, at)) : undefined;
    if (pinned !== undefined) return { source: pinned, version: reference.slice(at + 1) };
    const whole = named(reference);
    if (whole !== undefined) return { source: whole, version: undefined };
    const source = at <= 0 ? undefined : named(reference.slice(0, at));
    return source && { source, version: reference.slice(at + 1) };
  };
}
