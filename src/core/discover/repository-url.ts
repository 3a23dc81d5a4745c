// Recognises the web page of a repository or of a package, whose documentation a crawl of its pages does not find well.

export interface RepositoryUrl {
  readonly kind: 'repository' | 'package';
  /** The argument of `git clone` or `npm install`. */
  readonly target: string;
  /** Folder of the documentation after that, relative to the working folder. */
  readonly folder: string;
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

function gitHubRepository([owner, name, view, _ref, ...path]: readonly string[]): RepositoryUrl | null {
  if (owner === undefined || name === undefined || NOT_OWNERS.has(owner)) return null;
  if (view !== undefined && view !== 'tree' && view !== 'blob') return null;
  return cloned('github.com', [owner, name], path);
}

const NOT_OWNERS: ReadonlySet<string> = new Set(['features', 'marketplace', 'orgs', 'settings', 'sponsors', 'topics']);

/** Groups nest; `-` ends the path of the project. */
function gitLabRepository(parts: readonly string[]): RepositoryUrl | null {
  const dash = parts.indexOf('-');
  const project = dash === -1 ? parts : parts.slice(0, dash);
  const [view, _ref, ...path] = dash === -1 ? [] : parts.slice(dash + 1);
  if (project.length < 2 || (view !== undefined && view !== 'tree' && view !== 'blob')) return null;
  return cloned('gitlab.com', project, path);
}

function cloned(host: string, project: readonly string[], path: readonly string[]): RepositoryUrl {
  const names = project.map((part) => part.replace(/\.git$/, ''));
  const folder = [names.at(-1) ?? '', ...path].join('/');
  return { kind: 'repository', target: `https://${host}/${names.join('/')}.git`, folder };
}

function npmPackage([first, ...rest]: readonly string[]): RepositoryUrl | null {
  if (first !== 'package') return null;
  const name = rest.slice(0, rest[0]?.startsWith('@') ? 2 : 1).join('/');
  return name === '' ? null : { kind: 'package', target: name, folder: `node_modules/${name}` };
}
