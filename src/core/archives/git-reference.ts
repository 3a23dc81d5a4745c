// A git source as a user names it: `git+https://HOST/OWNER/REPO#TAG:FOLDER`. Tag and folder are optional.

import { pathVerdict } from '../files/path-verdict.ts';
import { pinakesError } from '../model/errors.ts';
import { decodePercent } from '../text/decode-percent.ts';

export interface GitReference {
  readonly kind: 'git';
  /** The origin of its host, such as `https://github.com`. */
  readonly origin: string;
  /** The path of the repository on its host, such as `fastify/fastify`. */
  readonly project: string;
  /** A tag, a branch or a commit id; null for the default branch. */
  readonly ref: string | null;
  /** The folder of the documentation; empty for the whole repository. */
  readonly folder: string;
}

export function isGitReference(text: string): boolean {
  return /^git\+https?:/i.test(text);
}

const PROJECT = /^\/(?:~?[\w.-]+\/){1,8}[\w.-]+$/;
/** Characters that git allows in names of tags and branches, except those with a meaning in a URL. */
const REF = /^[\w][\w./@+-]{0,199}$/;

/** Raises `git.invalid`. A user name and a password in the URL are dropped. */
export function parseGitReference(text: string): GitReference {
  const [address = '', fragment = ''] = splitAt(text.slice('git+'.length), '#');
  const url = URL.parse(address);
  const project = url?.search === '' ? projectOf(url.pathname) : null;
  const edition = editionOf(decodePercent(fragment));
  if (url === null || project === null || edition === null)
    throw pinakesError('git.invalid', { url: text.slice(0, 300) });
  return { kind: 'git', origin: url.origin, project, ...edition };
}

/** `REF:FOLDER`, each of which may be empty. */
function editionOf(fragment: string): Pick<GitReference, 'ref' | 'folder'> | null {
  const [ref = '', path = ''] = splitAt(fragment, ':');
  const folder = path.replace(/^(?:\.?\/)+|\/+$/g, '');
  if (folder !== '' && !pathVerdict(folder, 'any').admit) return null;
  if (ref === '') return { ref: null, folder };
  return REF.test(ref) && !ref.includes('..') ? { ref, folder } : null;
}

function projectOf(pathname: string): string | null {
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const isDotted = path.split('/').some((part) => part === '.' || part === '..');
  return PROJECT.test(path) && !isDotted ? path.slice(1) : null;
}

function splitAt(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The reference as it is stored and shown. */
export function formatGitReference({ origin, project, ref, folder }: Omit<GitReference, 'kind'>): string {
  const after = `${ref ?? ''}${folder === '' ? '' : `:${folder}`}`;
  return `git+${origin}/${project}${after === '' ? '' : `#${after}`}`;
}

/** The version that a tag or a branch stands for: `v5.2.0` and `fastify@5.2.0` are `5.2.0`. Empty for the default branch. */
export function versionOfRef(ref: string | null): string {
  const text = ref ?? '';
  const [, number] = /(?:^|[@/_-])v?(\d{1,9}(?:\.\d{1,9}){1,5}(?:[.-]?[a-z][\w.-]{0,40})?)$/i.exec(text) ?? [];
  return number ?? text;
}

/** The last two names of the path identify a repository: `fastify/fastify`. */
export function gitSourceName({ project }: Pick<GitReference, 'project'>): string {
  return project.split('/').slice(-2).join('/').replace(/^~/, '').toLowerCase();
}
