// Limits calls to the packages of a project at the versions that it uses. Another package, or another version, is an error that says
// what to do, never an answer from another package.

import { findSource } from '../core/model/source-reference.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { versionVerdict } from '../core/model/version-verdict.ts';
import type { ScopedPackages } from '../core/project/project-file.ts';
import type { SourceView } from '../actions/list-sources.ts';
import type { CallAction, ActionCallOptions } from './call-action.ts';

export interface ProjectScope extends ScopedPackages {
  /** The folder that has the project file. */
  readonly directory: string;
}

/** Actions whose `source` may be a list. */
const LISTS: ReadonlySet<string> = new Set(['search_docs', 'read_docs']);
/** Actions about one version of one source. */
const SINGLE: ReadonlySet<string> = new Set([
  'outline',
  'list_symbols',
  'list_pages',
  'list_chunks',
  'show_page',
  'list_backlinks',
  'list_revisions',
  'write_llms_txt',
]);

interface Named {
  readonly source?: string | readonly string[];
  readonly version?: string;
}

interface ScopedSource {
  readonly name: string;
  readonly versions: readonly string[];
}

/** The scope is loaded for each call: a sync may change it during a session. */
export function scopeCall(call: CallAction, loadScope: () => Promise<ProjectScope>): CallAction {
  return async (action, input, options) => {
    const scope = await withCrawledSites(await loadScope(), call);
    const sources = scopedSources(scope);
    const named = (input ?? {}) as Named;
    if (LISTS.has(action)) {
      const { source, version, ...rest } = named;
      const references = source === undefined ? sources.map(({ name }) => name) : [source].flat();
      const pinned = references.flatMap((reference) => pin(reference, version, scope, source === undefined));
      if (pinned.length === 0) throw notSynced('nothing', scope);
      return call(action, { ...rest, source: pinned }, options).catch(unlessSynced(scope));
    }
    if (action === 'write_agents_md') {
      const { sources: requested = [] } = named as { readonly sources?: readonly string[] };
      const references = requested.length === 0 ? sources.map(({ name }) => name) : requested;
      const pinned = references.flatMap((reference) => pin(reference, undefined, scope));
      return call(action, { ...named, sources: pinned }, options).catch(unlessSynced(scope));
    }
    if (action === 'compare_versions') requireBoth(input, scope);
    if (SINGLE.has(action) && typeof named.source === 'string')
      return call(action, pinnedInput(named, named.source, scope), options).catch(unlessSynced(scope));
    return action === 'list_sources' ? listScoped(call, input, options, sources) : call(action, input, options);
  };
}

/** Adds the packages whose site was crawled: only this library knows. */
async function withCrawledSites(scope: ProjectScope, call: CallAction): Promise<ProjectScope> {
  const crawled = scope.sites.map(async (reference): Promise<readonly string[]> => {
    const at = reference.lastIndexOf('@');
    const { sources } = (await call('list_sources', { name: reference.slice(0, at) })) as ListedSources;
    const source = sources.find(({ source: name }) => name === reference.slice(0, at));
    const isStored = source?.versions.some(({ version, pages }) => version === reference.slice(at + 1) && pages > 0);
    return isStored === true ? [reference] : [];
  });
  return { ...scope, packages: [...scope.packages, ...(await Promise.all(crawled)).flat()] };
}

function pinnedInput(named: Named, source: string, scope: ProjectScope): Named {
  const [pinned = ''] = pin(source, named.version, scope).slice(-1);
  const at = pinned.lastIndexOf('@');
  return { ...named, source: pinned.slice(0, at), version: pinned.slice(at + 1) };
}

/** A comparison is allowed if the project uses both versions. */
function requireBoth(input: unknown, scope: ProjectScope): void {
  const { source, before, after } = input as Record<'source' | 'before' | 'after', string>;
  for (const version of [before, after]) pin(source, version, scope);
}

function scopedSources({ packages }: ProjectScope): readonly ScopedSource[] {
  const byName = Map.groupBy(packages, (one) => one.slice(0, one.lastIndexOf('@')));
  return Array.from(byName, ([name, own]) => ({ name, versions: own.map((one) => one.slice(name.length + 1)) }));
}

/** The versions in use, as `npm:zod@3.25.1`; with a requested version, the one of them that it means. */
function pin(
  reference: string,
  requested: string | undefined,
  scope: ProjectScope,
  isImplied = false,
): readonly string[] {
  const found = findSource(scopedSources(scope), reference);
  if (found === undefined) throw notSynced(reference, scope);
  const { name, versions } = found.source;
  const wanted = found.version ?? requested;
  if (wanted === undefined) return versions.map((version) => `${name}@${version}`);
  const verdict = versionVerdict(versions, wanted);
  if (verdict.found) return [`${name}@${verdict.label}`];
  if (isImplied) return [];
  throw pinakesError('project.other-version', { source: name, requested: wanted, used: versions.join(', ') });
}

function notSynced(source: string, { directory }: ProjectScope): PinakesError {
  return pinakesError('project.not-synced', { source, directory });
}

/** The project file may be newer than the library, or of another machine. */
function unlessSynced(scope: ProjectScope): (error: unknown) => never {
  return (error) => {
    const isMissing =
      error instanceof PinakesError && (error.code === 'source.unknown' || error.code === 'version.unknown');
    throw isMissing ? notSynced('A package of the project file', scope) : error;
  };
}

interface ListedSources {
  readonly sources: readonly SourceView[];
  readonly nextCursor: string | null;
}

/** A project uses few of the sources, which may be anywhere in the list: they are on one page. */
async function listScoped(
  call: CallAction,
  input: unknown,
  options: ActionCallOptions | undefined,
  scope: readonly ScopedSource[],
): Promise<ListedSources & { readonly total: number }> {
  const versionsOf = new Map(scope.map(({ name, versions }) => [name, versions]));
  const scoped: SourceView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const listed: ListedSources = (await call(
      'list_sources',
      { ...(input as object), cursor },
      options,
    )) as ListedSources;
    for (const view of listed.sources) {
      const versions = view.versions.filter(({ version }) => versionsOf.get(view.source)?.includes(version) ?? false);
      if (versions.length > 0) scoped.push({ ...view, versions });
    }
    cursor = listed.nextCursor;
  }
  return { sources: scoped, total: scoped.length, nextCursor: null };
}
