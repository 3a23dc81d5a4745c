// URLs at which forges serve the list of refs and the archive of a commit. No API of a forge is used.

import { pageUrl, type PageUrl } from '../model/page-url.ts';
import type { GitReference } from './git-reference.ts';

type Repository = Pick<GitReference, 'origin' | 'project'>;

/** How git itself asks a server for its refs; every forge answers it. */
export function refsUrl({ origin, project }: Repository): PageUrl {
  const suffix = isHost(origin, 'git.sr.ht') ? '' : '.git';
  return pageUrl(`${origin}/${project}${suffix}/info/refs?service=git-upload-pack`);
}

type ArchivePath = (project: string, commit: string) => string;

const GITHUB: ArchivePath = (project, commit) => `${project}/archive/${commit}.tar.gz`;
const GITLAB: ArchivePath = (project, commit) =>
  `${project}/-/archive/${commit}/${project.slice(project.lastIndexOf('/') + 1)}-${commit}.tar.gz`;
const BITBUCKET: ArchivePath = (project, commit) => `${project}/get/${commit}.tar.gz`;

/** GitHub, Gitea, Forgejo and sourcehut use the same URL pattern. */
const FORGES: ReadonlyArray<readonly [host: string, path: ArchivePath]> = [
  ['github.com', GITHUB],
  ['codeberg.org', GITHUB],
  ['gitea.com', GITHUB],
  ['git.sr.ht', GITHUB],
  ['gitlab.com', GITLAB],
  ['bitbucket.org', BITBUCKET],
];

/** URLs in the order in which to try them: more than one if the host name does not identify the forge. */
export function archiveUrls({ origin, project }: Repository, commit: string): readonly PageUrl[] {
  const known = FORGES.find(([host]) => isHost(origin, host))?.[1];
  const paths = known === undefined ? [GITHUB, GITLAB, BITBUCKET] : [known];
  return paths.map((path) => pageUrl(`${origin}/${path(project, commit)}`));
}

function isHost(origin: string, host: string): boolean {
  return new URL(origin).host === host;
}
