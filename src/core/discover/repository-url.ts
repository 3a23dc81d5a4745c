// Recognises the web page of a repository or of a package, whose documentation a crawl of its pages does not find well.

import { formatGitReference } from '../archives/git-reference.ts';

export interface RepositoryUrl {
  readonly kind: 'repository' | 'package';
  /** How to add it: `git+https://…#ref:folder`, or `npm:name`. */
  readonly source: string;
}

/** Null for anything else, such as a wiki, a release or a site on pages of the host. */
export function repositoryUrl(url: string): RepositoryUrl | null {
  const { hostname, pathname } = URL.parse(url) ?? { hostname: '', pathname: '' };
  const parts = pathname.split('/').filter((part) => part !== '');
  const host = hostname.replace(/^www\./, '');
  if (host === 'github.com') return gitHubRepository(parts);
  if (host === 'gitlab.com') return gitLabRepository(parts);
  if (host === 'npmjs.com') return npmPackage(parts);
  return null;
}

function gitHubRepository([owner, name, view, ref, ...path]: readonly string[]): RepositoryUrl | null {
  if (owner === undefined || name === undefined || NOT_OWNERS.has(owner)) return null;
  if (view !== undefined && view !== 'tree' && view !== 'blob') return null;
  return repository('github.com', [owner, name], { view, ref, path });
}

const NOT_OWNERS: ReadonlySet<string> = new Set(['features', 'marketplace', 'orgs', 'settings', 'sponsors', 'topics']);

/** Groups nest; `-` ends the path of the project. */
function gitLabRepository(parts: readonly string[]): RepositoryUrl | null {
  const dash = parts.indexOf('-');
  const project = dash === -1 ? parts : parts.slice(0, dash);
  const [view, ref, ...path] = dash === -1 ? [] : parts.slice(dash + 1);
  if (project.length < 2 || (view !== undefined && view !== 'tree' && view !== 'blob')) return null;
  return repository('gitlab.com', project, { view, ref, path });
}

interface Shown {
  /** `blob` shows one file: its folder is meant. */
  readonly view: string | undefined;
  readonly ref: string | undefined;
  readonly path: readonly string[];
}

function repository(host: string, project: readonly string[], { view, ref = '', path }: Shown): RepositoryUrl {
  const names = project.map((part) => part.replace(/\.git$/, '')).join('/');
  const folder = (view === 'blob' ? path.slice(0, -1) : path).join('/');
  const reference = {
    origin: `https://${host}`,
    project: names,
    ref: ref === '' || ref === 'HEAD' ? null : ref,
    folder,
  };
  return { kind: 'repository', source: formatGitReference(reference) };
}

function npmPackage([first, ...rest]: readonly string[]): RepositoryUrl | null {
  if (first !== 'package') return null;
  const parts = rest[0]?.startsWith('@') ? 2 : 1;
  const name = rest.slice(0, parts).join('/');
  const [word, version] = rest.slice(parts);
  const range = word === 'v' && version !== undefined ? `@${version}` : '';
  return name === '' ? null : { kind: 'package', source: `npm:${name}${range}` };
}
